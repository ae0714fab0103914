"""Training: what makes knowledge by playing searches: networks, weights, books."""
