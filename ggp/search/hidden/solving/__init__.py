"""Solving small games of hidden information: their trees, equilibria, and judges of strategies."""
