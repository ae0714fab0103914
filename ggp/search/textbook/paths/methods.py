"""The searches for a path by name, and the function that makes one of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Joint
from ggp.search.core.result import CompleteLine
from ggp.search.textbook.paths.frontier import (
    Heuristic,
    Queue,
    Ranked,
    Stack,
    facts_missing,
    goal_missing,
    nothing,
)
from ggp.search.textbook.paths.graph_search import GraphSearch
from ggp.search.textbook.paths.iterative import IterativeDeepening
from ggp.search.textbook.paths.problem import PathProblem

if TYPE_CHECKING:
    from ggp.search.fast.puzzles.board import Board


class WaySearch(Protocol):
    """A search for a way to the best end, from one state."""

    best_line: CompleteLine | None

    @property
    def num_states(self) -> int:
        """States computed so far, equal ones included."""
        ...

    @property
    def depth(self) -> int:
        """Moves to the farthest state looked at."""
        ...

    @property
    def is_done(self) -> bool:
        """Whether the best line is the best that this search will find."""
        ...

    @property
    def num_held(self) -> int:
        """States in memory."""
        ...

    @property
    def promising_line(self) -> tuple[Joint, ...]:
        """The line to follow as long as no end was met; may be empty."""
        ...

    def step(self, deadline: Deadline) -> bool:
        """Go on a little; False if there is no need, room or time for it."""
        ...


@dataclass(frozen=True, slots=True)
class PathSettings:
    """Parameters of the search for a path."""

    heuristic: str = "facts"
    """A key of `HEURISTICS`."""
    max_states: int = 1_000_000
    """Held in memory, some hundred bytes each; then the search stops."""
    on_lanes: bool = False
    """Whether states are looked at by the hundred, where method and game allow it."""


DEFAULTS = PathSettings()


def facts_or_goal(problem: PathProblem) -> Heuristic:
    """Number of facts that are missing; where that is not known, what the goal value lacks."""
    return facts_missing(problem.game) or goal_missing(problem)


def no_heuristic(problem: PathProblem) -> Heuristic:
    """Says nothing."""
    return nothing


HEURISTICS: dict[str, Callable[[PathProblem], Heuristic]] = {
    "facts": facts_or_goal,
    "goal": goal_missing,
    "none": no_heuristic,
}

METHODS = ("bfs", "dfs", "ids", "bestfirst", "astar")
LANE_METHODS = ("bfs", "bestfirst", "astar")
"""Those that can look at states by the hundred."""


class Planning:
    """Makes searches by one method, for one problem: a heuristic is made once."""

    def __init__(
        self, problem: PathProblem, method: str, settings: PathSettings = DEFAULTS
    ) -> None:
        """Searches by one of `METHODS`."""
        self.problem = problem
        self.method = method
        self._settings = settings
        is_led = method in {"bestfirst", "astar"}
        self._heuristic = HEURISTICS[settings.heuristic](problem) if is_led else nothing
        self._board: Board | None = None

    def begin(self, state: gdl.State) -> WaySearch:
        """A search that starts in a state."""
        return self._begin_on_lanes(state) or self._begin_in_python(state)

    def _begin_on_lanes(self, state: gdl.State) -> WaySearch | None:
        if not self._settings.on_lanes or self.method not in LANE_METHODS:
            return None
        # Here, so that whoever searches in Python does not wait for numba.
        from ggp.search.textbook.paths.lanes import LaneWays, board_of

        self._board = self._board or board_of(self.problem.game, state)
        if self._board is None or self.problem.is_end(state):
            return None
        return LaneWays(self._board, state, self.method, self._settings.max_states)

    def _begin_in_python(self, state: gdl.State) -> WaySearch:
        if self.method == "ids":
            return IterativeDeepening(self.problem, state)
        frontier: Queue | Stack | Ranked
        if self.method == "bfs":
            frontier = Queue()
        elif self.method == "dfs":
            frontier = Stack()
        else:
            frontier = Ranked(self._heuristic, weight_of_way=1 if self.method == "astar" else 0)
        return GraphSearch(self.problem, state, frontier, self._settings.max_states)


def breadth_first(game: gdl.Game, state: gdl.State, max_states: int) -> GraphSearch:
    """Breadth-first search of a game of one role: the shortest way to the best goal."""
    return GraphSearch(PathProblem(game, game.roles[0]), state, Queue(), max_states)
