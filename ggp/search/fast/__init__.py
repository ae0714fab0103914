"""Fast searches on compiled games. They use arrays instead of an object for each state."""
