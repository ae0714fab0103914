"""The greedy tree search of the lectures."""
