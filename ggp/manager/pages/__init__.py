"""The pages: HTML from templates, with small JavaScript modules that talk to the API."""
