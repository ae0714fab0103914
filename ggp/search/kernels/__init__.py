"""Kernels: what the compiled searches have in common, array types, hashing, the game's kernels."""
