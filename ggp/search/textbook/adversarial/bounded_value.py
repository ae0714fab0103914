"""The outlook of a state for the searching role: a value, how much of it is proven, and a line."""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

from ggp.search.core.choices import Joint

Line: TypeAlias = "tuple[()] | tuple[Joint, Line]"
"""The joint moves expected from a state on: the first, and the line after it."""


class BoundedValue(NamedTuple):
    """The minimax value of a state at some depth, with bounds that hold at every greater depth.

    The bounds follow the same rules of maximum and minimum as the value: an end of the game is
    exact, an evaluation proves nothing. A value that rests on nothing but ends is proven.
    """

    value: float
    lower: float = -math.inf
    upper: float = math.inf
    line: Line = ()

    def before(self, joint: Joint) -> BoundedValue:
        """The same, seen from the state in which the joint move is made."""
        return BoundedValue(self.value, self.lower, self.upper, (joint, self.line))


WORST_OF_ALL = BoundedValue(-math.inf, -math.inf, -math.inf)
"""The start of a maximum."""
BEST_OF_ALL = BoundedValue(math.inf, math.inf, math.inf)
"""The start of a minimum."""


def exactly(value: float) -> BoundedValue:
    """The outlook at an end of the game."""
    return BoundedValue(value, value, value)


def better(first: BoundedValue, second: BoundedValue) -> BoundedValue:
    """The maximum of both; of equal values the one guaranteed, then the first, gives the line."""
    keeps = (first.value, first.lower) >= (second.value, second.lower)
    return BoundedValue(
        max(first.value, second.value),
        max(first.lower, second.lower),
        max(first.upper, second.upper),
        first.line if keeps else second.line,
    )


def worse(first: BoundedValue, second: BoundedValue) -> BoundedValue:
    """The minimum of both; of equal values the one guaranteed, then the first, gives the line."""
    keeps = (first.value, first.upper) <= (second.value, second.upper)
    return BoundedValue(
        min(first.value, second.value),
        min(first.lower, second.lower),
        min(first.upper, second.upper),
        first.line if keeps else second.line,
    )


def unrolled(line: Line) -> tuple[Joint, ...]:
    """The joint moves of a line, in order."""
    joints: list[Joint] = []
    while line:
        joint, line = line
        joints.append(joint)
    return tuple(joints)
