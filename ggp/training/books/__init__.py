"""Building of books: exploring states, solving them backwards, self-play."""
