"""Building books: exploring states, solving them backwards, and self-play."""
