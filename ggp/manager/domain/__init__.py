"""The manager's games, players, matches, tournaments and ratings, and what is allowed."""
