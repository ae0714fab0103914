"""Solve small games of hidden information: game trees, equilibria, and tests of strategies."""
