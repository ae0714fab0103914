"""Names of moves, places and facts for people. Each name is read back as the same move."""
