"""Finding and drawing boards of every form in the facts of a state."""
