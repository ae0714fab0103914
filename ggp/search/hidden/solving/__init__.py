"""Solve small games of hidden information: grow the tree, find an equilibrium, and test it."""
