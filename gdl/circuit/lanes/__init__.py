"""Lanes: hundreds of states at once. Each value of the circuit is a vector with a bit per state."""
