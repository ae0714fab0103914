"""What the manager remembers: rulesheets, players, matches turn by turn, tournaments, ratings."""
