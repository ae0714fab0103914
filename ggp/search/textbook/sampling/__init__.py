"""Searches that sample: pure Monte Carlo, and the formula by which a bandit shares its playouts."""
