"""The API: everything that the pages can do, as JSON under /api/v1, described by `openapi.json`."""
