"""The manager's database: rulesheets, players, matches with their turns, tournaments, ratings."""
