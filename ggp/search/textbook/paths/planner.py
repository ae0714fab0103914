"""Planning: find a path by one of several methods, and follow it until the match leaves it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Joint, require_moves
from ggp.search.core.result import BEST, WORST, CompleteLine, Effort, MoveValue, SearchResult
from ggp.search.textbook.paths.frontier import Frontier, Heuristic, Queue, Ranked, Stack
from ggp.search.textbook.paths.graph_search import GraphSearch, PathProblem
from ggp.search.textbook.paths.iterative import IterativeDeepening

if TYPE_CHECKING:
    from ggp.search.fast.puzzles.board import Board
    from ggp.search.textbook.paths.lanes import LaneWays


WaySearch: TypeAlias = "GraphSearch | IterativeDeepening | LaneWays"
"""A search for a path from one state to the best end."""


@dataclass(frozen=True, slots=True)
class PathSettings:
    """Parameters of a path search."""

    heuristic: str = "facts"  # a key of `HEURISTICS`
    max_states: int = 1_000_000  # maximum number of states in memory, of a few hundred bytes each
    on_lanes: bool = False
    """Whether to expand hundreds of states at once, if method and game allow it."""


DEFAULTS = PathSettings()


def nothing(state: gdl.State) -> float:
    """Return 0 for every state. With this heuristic A* is uniform-cost search."""
    return 0.0


def goal_missing(problem: PathProblem) -> Heuristic:
    """Return a heuristic that says how far the goal in a state is below 100.

    It helps if the rules define goals before the end of the game.
    """

    def missing(state: gdl.State) -> float:
        return BEST - problem.goal(state)

    return missing


def facts_missing(game: gdl.Game) -> Heuristic | None:
    """Return a heuristic that counts the facts that must change until the best goal holds.

    The count comes from the circuit of the goal and may be too high, so a path found with this
    heuristic need not be the shortest. See `ggp.search.fast.puzzles.distance`. Return None if the
    game is not compiled, has several roles, or has a goal that is too large.
    """
    if game.simulator is None or len(game.roles) != 1:
        return None
    # Imported here so that searches without this heuristic do not wait for numba.
    from ggp.search.fast.puzzles.board import Measure

    missing = Measure(game)
    return missing if missing.can_measure else None


HEURISTICS: dict[str, Callable[[PathProblem], Heuristic]] = {
    "facts": lambda problem: facts_missing(problem.game) or goal_missing(problem),
    "goal": goal_missing,
    "none": lambda problem: nothing,
}
"""The heuristics by name. `facts` is the same as `goal` if missing facts cannot be counted."""

METHODS = ("bfs", "dfs", "ids", "bestfirst", "astar")
LANE_METHODS = ("bfs", "bestfirst", "astar")
"""The methods that can expand hundreds of states at once."""


class Planning:
    """A factory of searches for one problem, all by the same method and with one heuristic."""

    def __init__(
        self, problem: PathProblem, method: str, settings: PathSettings = DEFAULTS
    ) -> None:
        self.problem = problem
        self.method = method
        self._settings = settings
        is_led = method in {"bestfirst", "astar"}
        self._heuristic = HEURISTICS[settings.heuristic](problem) if is_led else nothing
        self._board: Board | None = None

    def begin(self, state: gdl.State) -> WaySearch:
        """Start a search from a state."""
        return self._begin_on_lanes(state) or self._begin_in_python(state)

    def _begin_on_lanes(self, state: gdl.State) -> WaySearch | None:
        if not self._settings.on_lanes or self.method not in LANE_METHODS:
            return None
        # Imported here so that searches in Python do not wait for numba.
        from ggp.search.textbook.paths.lanes import LaneWays, board_of

        self._board = self._board or board_of(self.problem.game, state)
        if self._board is None or self.problem.game.is_terminal(state):
            return None
        return LaneWays(self._board, state, self.method, self._settings.max_states)

    def _begin_in_python(self, state: gdl.State) -> WaySearch:
        if self.method == "ids":
            return IterativeDeepening(self.problem, state)
        frontier: Frontier
        if self.method == "bfs":
            frontier = Queue()
        elif self.method == "dfs":
            frontier = Stack()
        else:
            frontier = Ranked(self._heuristic, weight_of_way=1 if self.method == "astar" else 0)
        return GraphSearch(self.problem, state, frontier, self._settings.max_states)


def breadth_first(game: gdl.Game, state: gdl.State, max_states: int) -> GraphSearch:
    """Start a breadth-first search for the shortest path to the best goal of a one-role game."""
    return GraphSearch(PathProblem(game, game.roles[0]), state, Queue(), max_states)


UNKNOWN = 50.0


class PathSearch:
    """A search for the best path to the end of the game. `advance` follows the match."""

    def __init__(
        self,
        game: gdl.Game,
        state: gdl.State,
        role: gdl.Role,
        method: str,
        settings: PathSettings = DEFAULTS,
    ) -> None:
        require_moves(game, state)
        self.game = game
        self.role = role
        # The best path to an end found so far; None if no end was found.
        self.best_line: CompleteLine | None = None
        self._problem = PathProblem(game, role)
        self._planning = Planning(self._problem, method, settings)
        self._num_states_before = 0
        self._is_best = False
        self._begin(state)

    def _begin(self, state: gdl.State) -> None:
        self.state = state  # the state at the root
        self._ways = self._planning.begin(state)

    @property
    def is_decided(self) -> bool:
        """Whether the plan is proven to lead to the best end, or the move is forced."""
        if self.game.is_terminal(self.state) or (self._is_best and self._problem.is_certain):
            return True
        return len(self.game.legal_moves(self.state, self.role)) < 2

    @property
    def effort(self) -> Effort:
        """The work so far. An iteration is a computed state."""
        ways = self._ways
        num_states = self._num_states_before + ways.num_states
        return Effort(num_states, 0, ways.num_held, ways.depth)

    def step(self, deadline: Deadline) -> bool:
        """Expand more states. Return False if the plan is final, or memory or time has run out."""
        if self._is_best or not self._ways.step(deadline):
            return False
        found = self._ways.best_line
        if found is not None and found.is_better_than(self.best_line):
            self.best_line = found
        self._is_best = self._ways.is_done
        return True

    def advance(self, moves: Joint, state: gdl.State) -> None:
        """Keep the rest of the plan if it starts with `moves`. In any case, start a new search."""
        self.best_line = self.best_line and self.best_line.after(moves)
        self._is_best = self._is_best and self.best_line is not None
        self._num_states_before += self._ways.num_states
        self._begin(state)

    def result(self) -> SearchResult:
        """Return the first move of the plan. Without a plan, move to the most promising state."""
        legal = self.game.legal_moves(self.state, self.role)
        line = self.best_line
        moves = line.moves if line is not None else self._ways.promising_line
        move = moves[0][self._problem.own] if moves else legal[0]
        visits = self.effort.num_iterations
        value = UNKNOWN if line is None else line.goal
        lower, upper = self._bounds()
        length = len(moves) if lower == upper else None
        best = MoveValue(move, value, visits, lower, upper, length)
        others = (MoveValue(other, UNKNOWN, 0) for other in legal if other is not move)
        return SearchResult.ranked((best, *others), visits, moves)

    def _bounds(self) -> tuple[float, float]:
        """Return proven bounds of the goal. If there are other roles, nothing is proven."""
        line = self.best_line
        if line is None or not self._problem.is_certain:
            return WORST, BEST
        return line.goal, line.goal if self._is_best else BEST
