"""The API: everything that the pages do, as JSON under /api/v1, described by `openapi.json`."""
