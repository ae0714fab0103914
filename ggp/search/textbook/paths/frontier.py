"""Frontiers: the states that a search has met and not yet looked at, and which of them is next."""

from __future__ import annotations

import heapq
import math
from collections import deque
from collections.abc import Callable
from itertools import count
from typing import NamedTuple, Protocol

import gdl
from ggp.search.core.result import BEST
from ggp.search.textbook.paths.problem import PathProblem

Heuristic = Callable[[gdl.State], float]
"""Estimated distance of a state from the best goal; 0 or more."""


class FrontierState(NamedTuple):
    """A state on the frontier."""

    state: gdl.State
    depth: int
    """Moves made to get there."""


class Frontier(Protocol):
    """The places that a search looks at later."""

    def __len__(self) -> int:
        """Number of places."""
        ...

    def push(self, place: FrontierState) -> float:
        """Add a place; how far it seems to be from the goal, 0 if nothing is known of that."""
        ...

    def peek(self) -> FrontierState:
        """The place that is next."""
        ...

    def pop(self) -> FrontierState:
        """Take it out."""
        ...

    def least_cost(self) -> float:
        """No way through the frontier seems to have fewer moves.

        Infinite where the first way will do, however long it is.
        """
        ...


class Queue:
    """First in, first out: breadth-first search. The first way to a state is the shortest one."""

    def __init__(self) -> None:
        self._places: deque[FrontierState] = deque()

    def __len__(self) -> int:
        return len(self._places)

    def push(self, place: FrontierState) -> float:
        """Add a place at the end."""
        self._places.append(place)
        return 0

    def peek(self) -> FrontierState:
        """The oldest place."""
        return self._places[0]

    def pop(self) -> FrontierState:
        """Take out the oldest place."""
        return self._places.popleft()

    def least_cost(self) -> float:
        """The first way is the shortest one."""
        return math.inf


class Stack:
    """Last in, first out: depth-first search. Follows one way to its end before the next.

    Of a state's moves the one that was pushed last is followed first.
    """

    def __init__(self) -> None:
        self._places: list[FrontierState] = []

    def __len__(self) -> int:
        return len(self._places)

    def push(self, place: FrontierState) -> float:
        """Add a place on top."""
        self._places.append(place)
        return 0

    def peek(self) -> FrontierState:
        """The newest place."""
        return self._places[-1]

    def pop(self) -> FrontierState:
        """Take out the newest place."""
        return self._places.pop()

    def least_cost(self) -> float:
        """Any way will do."""
        return math.inf


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


def nothing(state: gdl.State) -> float:
    """Says nothing of any state: A* becomes uniform-cost search, and its first way the shortest."""
    return 0.0


def goal_missing(problem: PathProblem) -> Heuristic:
    """The goal value that a state lacks to 100: for rules that give goals on the way."""

    def missing(state: gdl.State) -> float:
        return BEST - problem.goal(state)

    return missing


def facts_missing(game: gdl.Game) -> Heuristic | None:
    """Number of facts that must change until the best goal holds, by the circuit of the goal.

    It may say too much, so a way found by it need not be the shortest; see
    `ggp.search.fast.puzzles.distance`. None if the game is not compiled, has several roles,
    or a goal that is too large.
    """
    if game.simulator is None or len(game.roles) != 1:
        return None
    # Here, so that whoever searches blindly does not wait for numba.
    from ggp.search.fast.puzzles.board import Measure

    missing = Measure(game)
    return missing if missing.can_measure else None
