"""Compilation of the search's kernels, and of those of the game that they call."""

from gdl import kernel, scalar_kernels

__all__ = [
    "advance",
    "choose",
    "draw",
    "goal_of",
    "holds",
    "kernel",
    "list_legal",
    "load",
    "make",
]

_kernels = scalar_kernels()
load, make, advance = _kernels.load, _kernels.make, _kernels.advance
holds, goal_of = _kernels.holds, _kernels.goal_of
list_legal, choose, draw = _kernels.list_legal, _kernels.choose, _kernels.draw
