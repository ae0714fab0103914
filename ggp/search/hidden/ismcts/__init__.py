"""Information-set Monte Carlo tree search: a tree for each role, of what that role knows."""
