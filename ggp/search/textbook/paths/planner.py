"""Planning: search a path, keep it, and follow it as long as the game goes that way."""

from __future__ import annotations

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Joint, require_moves
from ggp.search.core.result import BEST, WORST, CompleteLine, Effort, MoveValue, SearchResult
from ggp.search.core.search import repeat
from ggp.search.textbook.paths.methods import DEFAULTS, PathSettings, Planning
from ggp.search.textbook.paths.problem import PathProblem

UNKNOWN = 50.0


class PathSearch:
    """Looks for the best way to the end by `step`, and follows the game by `advance`.

    Attributes:
        state: From which it searches.
        best_line: The best way to an end found so far; None if no end was met.
    """

    def __init__(
        self,
        game: gdl.Game,
        state: gdl.State,
        role: gdl.Role,
        method: str,
        settings: PathSettings = DEFAULTS,
    ) -> None:
        """A search by one of `ggp.search.textbook.paths.methods.METHODS`."""
        require_moves(game, state)
        self.game = game
        self.role = role
        self.best_line: CompleteLine | None = None
        self._problem = PathProblem(game, role)
        self._planning = Planning(self._problem, method, settings)
        self._num_states_before = 0
        self._is_best = False
        self._begin(state)

    def _begin(self, state: gdl.State) -> None:
        self.state = state
        self._ways = self._planning.begin(state)

    @property
    def is_decided(self) -> bool:
        """Whether the plan is proven to lead to the best end, or the move is forced."""
        if self.game.is_terminal(self.state) or (self._is_best and self._problem.is_certain):
            return True
        return len(self.game.legal_moves(self.state, self.role)) < 2

    @property
    def effort(self) -> Effort:
        """Work done so far: a round is a state computed."""
        ways = self._ways
        num_states = self._num_states_before + ways.num_states
        return Effort(num_states, 0, ways.num_held, ways.depth)

    def step(self, deadline: Deadline) -> bool:
        """Look at some states more; False if the plan is made, or there is no room or time."""
        if self._is_best or not self._ways.step(deadline):
            return False
        found, best = self._ways.best_line, self.best_line
        if found is not None and (best is None or _worth(found) > _worth(best)):
            self.best_line = found
        self._is_best = self._ways.is_done
        return True

    def advance(self, moves: Joint, state: gdl.State) -> None:
        """Keep the rest of the plan if the game follows it; a new search otherwise."""
        line, self.best_line = self.best_line, None
        follows = line is not None and line.moves[:1] == (moves,)
        if line is not None and follows:
            self.best_line = CompleteLine(line.goal, line.moves[1:])
        self._is_best = self._is_best and follows
        self._num_states_before += self._ways.num_states
        self._begin(state)

    def result(self) -> SearchResult:
        """The first move of the plan; without one, the move to where the goal seems closest."""
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
        return SearchResult(move, value, visits, lower, upper, moves, (best, *others))

    def _bounds(self) -> tuple[float, float]:
        """Proven bounds on the goal: none, where others may cross the plan."""
        line = self.best_line
        if line is None or not self._problem.is_certain:
            return WORST, BEST
        return line.goal, line.goal if self._is_best else BEST


def search(
    game: gdl.Game,
    state: gdl.State,
    role: gdl.Role,
    deadline: Deadline,
    *,
    method: str,
    settings: PathSettings = DEFAULTS,
) -> SearchResult:
    """Search a path from a state that is not terminal, until it is found or the time is over."""
    planner = PathSearch(game, state, role, method, settings)
    repeat(planner.step, deadline)
    return planner.result()


def _worth(line: CompleteLine) -> tuple[float, int]:
    """The goal first; of equal goals the shorter way."""
    return line.goal, -len(line.moves)
