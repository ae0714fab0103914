"""Games, players, matches, tournaments and ratings, and the rules about them."""
