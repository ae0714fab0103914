"""Arena: who is stronger, by rounds, a sequential test and ratings."""
