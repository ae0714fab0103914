"""Arena: matches between two players, a test that decides which is stronger, and ratings."""
