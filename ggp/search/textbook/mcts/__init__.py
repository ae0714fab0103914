"""Monte Carlo tree search with a Python object for each node."""
