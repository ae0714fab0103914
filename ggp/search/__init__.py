"""Searches: pure algorithms that need a game, a state, a deadline and a source of randomness."""
