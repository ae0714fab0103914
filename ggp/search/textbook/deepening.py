"""Iterative deepening: repeat a depth-limited search ever deeper, to have an answer at any time.

This is how the lectures handle a clock. Search one ply deep, then two, then three. When the time is
over, the answer is "the solution of the last completed depth". The earlier depths cost little,
because the last one has many times as many states.
"""

from __future__ import annotations

from typing import Protocol

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Joint, require_moves
from ggp.search.core.result import DepthResult, Effort, MoveValue, OutOfTime, SearchResult

MAX_DEPTH = 100
"""Maximum number of plies that these searches look ahead, because each ply takes a few nested
Python calls."""
UNKNOWN = 50.0


class SearchToDepth(Protocol):
    """A search to a limited depth, with its evaluation and other settings already given."""

    def __call__(
        self,
        machine: gdl.StateMachine,
        state: gdl.State,
        role: gdl.Role,
        *,
        depth: int,
        deadline: Deadline,
    ) -> DepthResult:
        """Search `depth` plies deep. Raise `OutOfTime` if the deadline comes first."""


class DeepeningSearch:
    """A search that goes one ply deeper with each `step`, and starts again after each move."""

    def __init__(
        self,
        machine: gdl.StateMachine,
        state: gdl.State,
        role: gdl.Role,
        search_to_depth: SearchToDepth,
        max_depth: int | None = None,
    ) -> None:
        """Prepare a search from `state`. The default of `max_depth` is `MAX_DEPTH`."""
        require_moves(machine, state)
        self.machine = machine
        self.role = role
        self.state = state  # the state at the root
        # The result of the last completed depth; None before the first one is completed.
        self.completed: DepthResult | None = None
        self._search_to_depth = search_to_depth
        self._max_depth = min(max_depth or MAX_DEPTH, MAX_DEPTH)
        self._num_states = 0

    @property
    def depth(self) -> int:
        """The last completed depth in plies; 0 before the first."""
        return 0 if self.completed is None else self.completed.depth

    @property
    def is_decided(self) -> bool:
        """Whether the move is forced or its value is proven."""
        if self.machine.is_terminal(self.state):
            return True
        if self.completed is not None and self.completed.result.is_proven:
            return True
        return len(self.machine.legal_moves(self.state, self.role)) < 2

    @property
    def effort(self) -> Effort:
        """The work so far. States visited in completed depths count as iterations."""
        last = 0 if self.completed is None else self.completed.nodes
        return Effort(self._num_states, 0, last, self.depth)

    def step(self, deadline: Deadline) -> bool:
        """Search one ply deeper.

        Return False if the maximum depth is reached, the result cannot change any more, or the
        deadline comes first.
        """
        if self.depth >= self._max_depth or self.machine.is_terminal(self.state):
            return False
        if self.completed is not None and self.completed.is_complete:
            return False
        try:
            self.completed = self._search_to_depth(
                self.machine, self.state, self.role, depth=self.depth + 1, deadline=deadline
            )
        except OutOfTime:
            return False
        self._num_states += self.completed.nodes
        return True

    def advance(self, moves: Joint, state: gdl.State) -> None:
        """Start a new search from `state`."""
        self.state = state
        self.completed = None

    def result(self) -> SearchResult:
        """Return the result of the last completed depth.

        Before the first one is completed, return the first legal move.
        """
        if self.completed is not None:
            return self.completed.result
        moves = self.machine.legal_moves(self.state, self.role)
        untried = tuple(MoveValue(move, UNKNOWN, 0) for move in moves)
        return SearchResult.ranked(untried, visits=0)
