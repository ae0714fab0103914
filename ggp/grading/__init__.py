"""Grading: submissions play against baselines, and a verdict says whether each is sound."""
