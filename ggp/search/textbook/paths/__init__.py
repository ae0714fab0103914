"""Path searches: from a state to the best end of a game, for a player that is alone.

As in textbooks, a search has a frontier of states to expand, and a set of explored states. The
methods differ in which state they take from the frontier next: breadth-first, depth-first,
best-first, A*.
"""
