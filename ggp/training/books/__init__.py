"""Building of books: exploring, solving backwards, self-play."""
