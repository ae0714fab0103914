"""Grading: submissions play against baselines, and each gets a verdict."""
