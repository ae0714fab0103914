"""Passes: pure functions from a netlist to one that means the same and costs less.

The same: in every state that the game can reach, after every joint move, all outputs have the same
values, and the next state too.
"""
