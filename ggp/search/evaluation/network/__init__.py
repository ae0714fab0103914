"""Value networks, which evaluate states and are trained on the trees of the search."""
