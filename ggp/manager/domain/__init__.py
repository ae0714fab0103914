"""What games, players, matches, tournaments and ratings are, and the rules about them."""
