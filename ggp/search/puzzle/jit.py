"""How the kernels of the search are compiled: as those of the circuit."""

from gdl import kernel

__all__ = ["kernel"]
