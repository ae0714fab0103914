"""The manager's database: rulesheets, players, matches and their turns, tournaments, ratings."""
