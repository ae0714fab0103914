"""Training: networks, weights and books, learned by playing searches against each other."""
