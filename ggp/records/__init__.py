"""Records of matches: written, read, and played again."""
