"""Arena: find out which of two sides is stronger, by matches, a sequential test and ratings."""
