"""Code shared by different searches: array types, hashing, and the kernels of the game."""
