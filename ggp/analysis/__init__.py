"""Analysis of positions described by text: what a search finds or a role knows."""
