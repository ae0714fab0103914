"""Information-set Monte Carlo tree search, with a tree for each role over what that role knows."""
