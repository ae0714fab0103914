"""The analysis that a report on a match comes from: exact where it can be, else estimated."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Final, NamedTuple

import gdl
from ggp.clock import Deadline
from ggp.match.referee import played_roles
from ggp.report.estimating import Estimator
from ggp.report.judging import Known, judge_moves
from ggp.report.match_line import MatchLine
from ggp.report.match_report import MatchReport, Worth
from ggp.report.solving import Exact, solver_of

SECONDS: Final = 0.5
"""For each turn."""

Progress = Callable[[int, int], None]
"""Told how many positions are done, and how many there are."""


class Limits(NamedTuple):
    """How long an analysis may take.

    Attributes:
        seconds: For each turn; what one does not need, the others have.
        seed: Of the search.
    """

    seconds: float = SECONDS
    seed: int = 0


def report_on(
    name: str,
    game: gdl.Game,
    line: MatchLine,
    limits: Limits | None = None,
    progress: Progress = lambda *_: None,
) -> MatchReport:
    """Analyse a match from its last position to its first, on two cores where the game has them.

    Args:
        name: Of the game.
        game: Its rules.
        line: The match.
        limits: How long that may take.
        progress: Is called after each position.
    """
    known = _Analysis(game, line, limits or Limits()).run(progress)
    return MatchReport(
        game=name,
        roles=tuple(map(str, played_roles(game))),
        worths=tuple(position.worth for position in known),
        moves=judge_moves(game, line, known),
        broken=line.broken,
        hides=game.rulesheet is not None and ("sees", 2) in game.rulesheet.definitions,
    )


class _Analysis:
    """The positions of one match, from the last one backwards."""

    def __init__(self, game: gdl.Game, line: MatchLine, limits: Limits) -> None:
        self._game = game
        self._line = line
        self._limits = limits
        self._roles = played_roles(game)
        self._solver = solver_of(game)
        self._estimator = Estimator(game, limits.seed)
        self._exact: dict[int, Exact] = {}

    def run(self, progress: Progress) -> list[Known]:
        """All positions, from the first to the last."""
        num = self._line.num_turns
        self._estimator.prepare(self._line.states[0], self._roles)
        clock = Deadline.after(self._limits.seconds * max(1, num))
        solving = threading.Thread(target=self._solve, args=(clock,), name="solver")
        solving.start()
        try:
            estimates = {}
            for turn in range(num, -1, -1):
                if turn not in self._exact:
                    share = Deadline.after(clock.remaining() / (turn + 1))
                    estimates[turn] = self._estimated(turn, share)
                progress(num + 1 - turn, num + 1)
        finally:
            clock.end()
            solving.join()
        return [self._known(turn, estimates) for turn in range(num + 1)]

    def _solve(self, clock: Deadline) -> None:
        if self._solver is not None:
            self._solver.solve(self._line, clock, self._exact)

    def _known(self, turn: int, estimates: dict[int, Known]) -> Known:
        """What is known of a position in the end."""
        exact = self._exact.get(turn)
        return estimates[turn] if exact is None else self._solved(exact)

    def _solved(self, exact: Exact) -> Known:
        assert self._solver is not None
        found = {} if exact.better is None else {0: exact.better}
        return Known(Worth(self._solver.goals(exact.worth), is_proven=True), found)

    def _estimated(self, turn: int, deadline: Deadline) -> Known:
        game, state = self._game, self._line.states[turn]
        if game.is_terminal(state):
            goals = [float(game.goal(state, role)) for role in self._roles]
            return Known(Worth(tuple(goals), is_proven=True), {})
        found = self._estimator.look(state, self._roles, deadline, lambda: turn not in self._exact)
        goals = [found[role].value for role in self._roles]
        is_proven = all(found[role].is_proven for role in self._roles)
        by_index = {game.roles.index(role): result for role, result in found.items()}
        return Known(Worth(tuple(goals), is_proven), by_index)
