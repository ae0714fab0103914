"""Batches of states: thousands of games at once, each played by the moves of the caller."""
