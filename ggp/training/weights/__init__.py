"""Weights of linear evaluations, learned by playing against oneself."""
