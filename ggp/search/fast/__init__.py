"""Fast: the searches on compiled games, in arrays and without an object for a state."""
