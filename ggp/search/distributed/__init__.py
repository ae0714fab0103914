"""Search on several machines: a tree on each, taken together where the move is chosen."""
