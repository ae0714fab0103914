"""Degrees of truth of the formulas of a game."""
