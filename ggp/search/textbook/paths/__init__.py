"""Searches for a path: of a player that is alone, from a state to the best end.

The textbook's: a frontier of states to look at, and a set of states explored already. What is taken
from the frontier next makes the difference: breadth-first, depth-first, best-first, A*.
"""
