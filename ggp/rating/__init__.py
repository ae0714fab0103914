"""Ratings of players from results, and tests of which of two players is stronger."""
