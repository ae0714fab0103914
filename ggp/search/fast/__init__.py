"""Fast searches on compiled games, which use arrays instead of an object for each state."""
