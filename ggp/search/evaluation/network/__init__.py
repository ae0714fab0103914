"""Value networks: what states are worth, learned from the search's own trees."""
