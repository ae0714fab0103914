"""Readable names of moves, places and facts. Each name can be parsed back into the same move."""
