"""What a state is worth that is not the end of a game."""
