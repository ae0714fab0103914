"""Path searches: find a path from a state to the best end of a game of one role.

As in textbooks, a search has a frontier of states to expand, and a set of explored states. The
methods (breadth-first, depth-first, best-first, A*) differ in which state they take from the
frontier next.
"""
