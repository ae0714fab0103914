"""Running matches, tournaments and reports with the cores that are available."""
