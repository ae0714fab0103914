"""The manager's memory: rulesheets, players, matches turn by turn, tournaments, ratings."""
