"""A game as a Boolean circuit, and the state machines that evaluate it."""

from gdl.circuit.netlist import NO, YES, Netlist

__all__ = ["NO", "YES", "Netlist"]
