"""A game as a boolean circuit, and the machines that evaluate it."""

from gdl.circuit.netlist import NO, YES, Netlist

__all__ = ["NO", "YES", "Netlist"]
