"""Kernels that play a compiled game one state at a time, for use in other kernels."""

from gdl import scalar_kernels

_kernels = scalar_kernels()
load, make, make_from = _kernels.load, _kernels.make, _kernels.make_from
advance, holds = _kernels.advance, _kernels.holds
goal_of, count_legal = _kernels.goal_of, _kernels.count_legal
list_legal, choose, draw = _kernels.list_legal, _kernels.choose, _kernels.draw
