"""Compilation of the search's kernels: as those of the circuit."""

from gdl import kernel

__all__ = ["kernel"]
