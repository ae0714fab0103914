"""Analysis: positions described by text, what a search and a role know of them, the structure."""
