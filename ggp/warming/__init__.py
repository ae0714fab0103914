"""Warming: all kernels are compiled once after an install, and loaded."""
