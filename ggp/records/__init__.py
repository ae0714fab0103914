"""Records of matches: writing, reading and replaying them."""
