"""Passes: pure functions from a netlist to an equivalent one that costs less.

Two netlists are equivalent if all outputs and the next state have the same values, in every state
that the game can reach, for every joint move.
"""
