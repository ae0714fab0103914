"""Compilation of the search's kernels, and of those of the game that they call."""

from gdl import kernel, scalar_kernels

__all__ = [
    "advance",
    "count_legal",
    "goal_of",
    "holds",
    "kernel",
    "list_legal",
    "load",
    "make_from",
]

_kernels = scalar_kernels()
load, make_from, advance = _kernels.load, _kernels.make_from, _kernels.advance
holds, goal_of = _kernels.holds, _kernels.goal_of
list_legal, count_legal = _kernels.list_legal, _kernels.count_legal
