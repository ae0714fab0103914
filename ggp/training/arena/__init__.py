"""Arena: find out which side is stronger, by rounds of matches, a sequential test and ratings."""
