"""Monte Carlo tree search in flat arrays. It computes states and plays them out on lanes."""
