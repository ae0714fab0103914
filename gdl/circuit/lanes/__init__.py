"""Hundreds of states at once: each value of the circuit is a vector with a bit for each state."""
