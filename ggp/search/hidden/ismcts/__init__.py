"""Information-set Monte Carlo tree search. Each role has a tree over what it knows."""
