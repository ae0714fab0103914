"""Frontiers: the states that a search has found but not yet expanded, and which one is next."""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Callable
from itertools import count
from typing import NamedTuple

import gdl

Heuristic = Callable[[gdl.State], float]
"""Estimated distance of a state from the best goal, at least 0."""


class FrontierState(NamedTuple):
    """A state on the frontier."""

    state: gdl.State
    depth: int  # number of moves that lead to the state


class Queue:
    """A first-in, first-out frontier, for breadth-first search.

    The first path to a state is the shortest one.
    """

    def __init__(self) -> None:
        self._places: deque[FrontierState] = deque()

    def __len__(self) -> int:
        return len(self._places)

    def push(self, place: FrontierState) -> float:
        """Add a state. Return its estimated distance: 0, because it is unknown."""
        self._places.append(place)
        return 0

    def peek(self) -> FrontierState:
        """Return the oldest state."""
        return self._places[0]

    def pop(self) -> FrontierState:
        """Remove and return the oldest state."""
        return self._places.popleft()

    def least_cost(self) -> float:
        """Return infinity, because no path through the frontier is better than one found before.

        In a queue no later path is shorter, and in a stack the length does not count.
        """
        return math.inf


class Stack(Queue):
    """A last-in, first-out frontier, for depth-first search.

    The search follows one path to its end before it tries the next. Among the moves of a state, it
    first follows the move that was pushed last.
    """

    def peek(self) -> FrontierState:
        """Return the newest state."""
        return self._places[-1]

    def pop(self) -> FrontierState:
        """Remove and return the newest state."""
        return self._places.pop()


class Ranked:
    """A frontier that gives the state with the least f first, f = weight * moves made + heuristic.

    With weight 0 this is greedy best-first search, with weight 1 A*. Among states with equal f, the
    oldest comes first. See Hart, Nilsson and Raphael, A Formal Basis for the Heuristic
    Determination of Minimum Cost Paths, 1968.
    """

    def __init__(self, heuristic: Heuristic, weight_of_way: float) -> None:
        self._heuristic = heuristic
        self._weight = weight_of_way
        self._heap: list[tuple[float, int, FrontierState]] = []
        self._ages = count()

    def __len__(self) -> int:
        return len(self._heap)

    def push(self, place: FrontierState) -> float:
        """Add a state, and return its estimated distance."""
        far = self._heuristic(place.state)
        f = self._weight * place.depth + far
        heapq.heappush(self._heap, (f, next(self._ages), place))
        return far

    def peek(self) -> FrontierState:
        """Return the state with the least f."""
        return self._heap[0][2]

    def pop(self) -> FrontierState:
        """Remove and return the state with the least f."""
        return heapq.heappop(self._heap)[2]

    def least_cost(self) -> float:
        """Return the least number of moves of a path through the frontier, as estimated by f.

        It is a lower bound if the heuristic never overestimates. If moves do not count (weight 0),
        return infinity.
        """
        if not self._weight:
            return math.inf
        return self._heap[0][0] / self._weight if self._heap else math.inf


Frontier = Queue | Ranked
"""The states that a search expands later."""
