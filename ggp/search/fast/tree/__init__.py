"""Monte Carlo tree search over flat arrays, its states made and played out on lanes."""
