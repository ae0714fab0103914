"""Everything the pages do, as JSON under /api/v1; `openapi.json` there describes it."""
