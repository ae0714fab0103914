"""Frontiers: the states that a search has met and not yet looked at, and which of them is next."""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Callable
from itertools import count
from typing import NamedTuple

import gdl

Heuristic = Callable[[gdl.State], float]
"""Estimated distance of a state from the best goal; 0 or more."""


class FrontierState(NamedTuple):
    """A state on the frontier."""

    state: gdl.State
    depth: int  # moves made to get there


class Queue:
    """A frontier, first in, first out: breadth-first search.

    The first way to a state is the shortest one.
    """

    def __init__(self) -> None:
        self._places: deque[FrontierState] = deque()

    def __len__(self) -> int:
        return len(self._places)

    def push(self, place: FrontierState) -> float:
        """Add a place; how far it seems to be from the goal, 0: nothing is known of that."""
        self._places.append(place)
        return 0

    def peek(self) -> FrontierState:
        """The oldest place."""
        return self._places[0]

    def pop(self) -> FrontierState:
        """Take out the oldest place."""
        return self._places.popleft()

    def least_cost(self) -> float:
        """No way seems to have fewer moves; infinite: the first one will do, however long."""
        return math.inf


class Stack(Queue):
    """Last in, first out: depth-first search. Follows one way to its end before the next.

    Of a state's moves the one that was pushed last is followed first.
    """

    def peek(self) -> FrontierState:
        """The newest place."""
        return self._places[-1]

    def pop(self) -> FrontierState:
        """Take out the newest place."""
        return self._places.pop()


class Ranked:
    """The least f first, where f = weight of the moves made + heuristic.

    With weight 0 that is greedy best-first search, with weight 1 A*; of equal places the older one
    is first. See Hart, Nilsson and Raphael, A Formal Basis for the Heuristic Determination of
    Minimum Cost Paths, 1968.
    """

    def __init__(self, heuristic: Heuristic, weight_of_way: float) -> None:
        self._heuristic = heuristic
        self._weight = weight_of_way
        self._heap: list[tuple[float, int, FrontierState]] = []
        self._ages = count()

    def __len__(self) -> int:
        return len(self._heap)

    def push(self, place: FrontierState) -> float:
        """Add a place at its rank; what the heuristic says of it."""
        far = self._heuristic(place.state)
        f = self._weight * place.depth + far
        heapq.heappush(self._heap, (f, next(self._ages), place))
        return far

    def peek(self) -> FrontierState:
        """The place with the least f."""
        return self._heap[0][2]

    def pop(self) -> FrontierState:
        """Take out the place with the least f."""
        return heapq.heappop(self._heap)[2]

    def least_cost(self) -> float:
        """The least f, if ways count; a lower bound if the heuristic never says too much."""
        if not self._weight:
            return math.inf
        return self._heap[0][0] / self._weight if self._heap else math.inf


Frontier = Queue | Ranked
"""The places that a search looks at later."""
