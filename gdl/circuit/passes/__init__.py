"""Passes: pure functions from a netlist to an equivalent one that costs less.

Equivalent means: in every state that the game can reach, after every joint move, all outputs and
the next state have the same values.
"""
