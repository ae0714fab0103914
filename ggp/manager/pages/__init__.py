"""The pages: HTML rendered here, with small modules of JavaScript that speak to the API."""
