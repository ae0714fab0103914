"""Records of matches: write, read and replay them."""
