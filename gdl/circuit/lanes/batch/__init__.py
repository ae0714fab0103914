"""Batches of states: thousands of games at once, each advanced by the caller's moves."""
