"""What different searches share: array types, hashing, and the kernels of the game."""
