"""The outlook of the searching role in a state: a value, its proven bounds, and a line of moves."""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

from ggp.search.core.choices import Joint

Line: TypeAlias = "tuple[()] | tuple[Joint, Line]"
"""The expected joint moves from a state on: a pair of the first one and the line after it."""


class BoundedValue(NamedTuple):
    """The minimax value of a state at some depth, with bounds that hold at every greater depth.

    The bounds of a state are the maximum or minimum of its successors' bounds, like its value. In
    terminal states both bounds equal the goal. Where an evaluation gives the value, they are minus
    and plus infinity. So a value that depends only on terminal states is proven.
    """

    value: float
    lower: float = -math.inf
    upper: float = math.inf
    line: Line = ()

    def before(self, joint: Joint) -> BoundedValue:
        """Return the same value for the state before `joint`, which begins the new line."""
        return BoundedValue(self.value, self.lower, self.upper, (joint, self.line))


WORST_OF_ALL = BoundedValue(-math.inf, -math.inf, -math.inf)
"""The initial value when computing a maximum."""
BEST_OF_ALL = BoundedValue(math.inf, math.inf, math.inf)
"""The initial value when computing a minimum."""


def exactly(value: float) -> BoundedValue:
    """Return the outlook of a terminal state with this goal."""
    return BoundedValue(value, value, value)


def better(first: BoundedValue, second: BoundedValue) -> BoundedValue:
    """Return the maximum of both, with the line of the larger value.

    If the values are equal, the line with the higher lower bound is kept.
    """
    keeps = (first.value, first.lower) >= (second.value, second.lower)
    return BoundedValue(
        max(first.value, second.value),
        max(first.lower, second.lower),
        max(first.upper, second.upper),
        first.line if keeps else second.line,
    )


def worse(first: BoundedValue, second: BoundedValue) -> BoundedValue:
    """Return the minimum of both, with the line of the smaller value.

    If the values are equal, the line with the lower upper bound is kept.
    """
    keeps = (first.value, first.upper) <= (second.value, second.upper)
    return BoundedValue(
        min(first.value, second.value),
        min(first.lower, second.lower),
        min(first.upper, second.upper),
        first.line if keeps else second.line,
    )


def unrolled(line: Line) -> tuple[Joint, ...]:
    """Return the joint moves of a line as a tuple, in order."""
    joints: list[Joint] = []
    while line:
        joint, line = line
        joints.append(joint)
    return tuple(joints)
