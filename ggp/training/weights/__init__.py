"""Weights of linear evaluations, learned by self-play."""
