"""Names of moves, places and facts for people: written so that each is read back as itself."""
