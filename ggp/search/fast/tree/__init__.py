"""Monte Carlo tree search in flat arrays, which makes states and plays them out on lanes."""
