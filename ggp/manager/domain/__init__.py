"""The manager's games, players, matches, tournaments and ratings, and the rights of callers."""
