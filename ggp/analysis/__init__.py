"""Analysis: positions described by text, and what a search or a role knows of them."""
