"""Running matches, tournaments and reports on the available cores."""
