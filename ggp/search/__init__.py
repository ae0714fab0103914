"""Searches: pure algorithms on a game, a state, a deadline and an rng."""
