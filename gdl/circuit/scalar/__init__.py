"""Scalar kernels: play one state at a time, and evaluate only what a move changes."""
