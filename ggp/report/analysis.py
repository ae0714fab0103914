"""The analysis for a report on a match: exact values where possible, otherwise estimates.

The analysis goes backwards from the end of the match. First a solver finds the exact values of
positions, until it reaches its limit of states. Then searches estimate the values of all earlier
positions. Effort is counted in states and iterations, so the same match has the same report on any
machine, unless a time limit is set and reached.
"""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import gdl
from ggp.clock import Deadline
from ggp.match.referee import played_roles
from ggp.report.estimating import Estimator, rounds_for
from ggp.report.judging import judge_moves
from ggp.report.match_line import MatchLine
from ggp.report.match_report import MatchReport, Progress
from ggp.report.sharing import sharing_in
from ggp.report.solving import Exact, solver_of
from ggp.report.worths import Estimates, settle
from ggp.search.core.result import SearchResult
from ggp.search.hidden.solving.game_tree import hides_information

NODES_PER_ROUND: Final = 20
"""States that the solver may visit for each search iteration. Both take about the same time."""
SOLVER_SHARE: Final = 0.5
"""The solver's share of the time, if the time is limited."""


class ReportLimits(NamedTuple):
    """Limits on the effort of an analysis.

    Attributes:
        rounds: Iterations for each position. None means a number that suits the game.
        seconds: Time limit per turn. Time that one position does not use is available to earlier
            positions. A report that reaches the limit says so, because it depends on the machine.
        seed: The seed of the search.
    """

    rounds: int | None = None
    seconds: float = math.inf
    seed: int = 0


def report_on(
    name: str,
    game: gdl.Game,
    line: MatchLine,
    limits: ReportLimits | None = None,
    progress: Progress = lambda *_: None,
) -> MatchReport:
    """Return the report on a match, analysed from the last position to the first.

    Args:
        limits: How much effort to spend.
        progress: Called with the number of finished positions, and the number of all positions.
    """
    return _Analysis(game, line, limits or ReportLimits()).report(name, progress)


class _Analysis:
    """The analysis of one match, from its last position backwards."""

    def __init__(self, game: gdl.Game, line: MatchLine, limits: ReportLimits) -> None:
        self._game = game
        self._line = line
        self._roles = played_roles(game)
        self._sharing = sharing_in(game)
        self._rounds = limits.rounds or rounds_for(game, line.num_turns + 1)
        self._estimator = Estimator(game, limits.seed, self._rounds)
        self._seconds = limits.seconds * max(1, line.num_turns)

    def report(self, name: str, progress: Progress) -> MatchReport:
        game, line = self._game, self._line
        clock = Deadline.after(self._seconds)
        exact = self._solved()
        found: dict[int, dict[gdl.Role, SearchResult]] = {}
        for turn in range(line.num_turns, -1, -1):
            if turn not in exact and (roles := self._roles_of_interest(turn)):
                share = Deadline.after(clock.remaining() / (turn + 1))
                found[turn] = self._estimator.look(line.states[turn], roles, share)
            progress(line.num_turns + 1 - turn, line.num_turns + 1)
        estimates = {
            turn: self._by_index(self._estimator.look_again(line.states[turn], first))
            for turn, first in found.items()
        }
        positions = settle(game, line, exact, estimates, self._sharing.total)
        return MatchReport(
            game=name,
            roles=tuple(map(str, self._roles)),
            worths=tuple(position.worth for position in positions),
            moves=judge_moves(game, line, positions),
            broken=line.broken,
            hides=hides_information(game),
            evaluation=self._estimator.evaluation if estimates else "",
            is_cut=self._estimator.is_cut,
            result=self._result(),
        )

    def _result(self) -> str:
        game, line = self._game, self._line
        if line.broken:
            return ""
        if game.is_terminal(line.states[-1]):
            goals = (f"{role} {game.goal(line.states[-1], role)}" for role in self._roles)
            return f"The result is {', '.join(goals)}."
        if line.settled:
            return f"Its players ended it before the rules did: {line.settled}."
        return "It was not played to its end."

    def _solved(self) -> dict[int, Exact]:
        solver = solver_of(self._game, self._sharing)
        if solver is None:
            return {}
        most = NODES_PER_ROUND * self._rounds * (self._line.num_turns + 1)
        return solver.solve(self._line, Deadline.after(SOLVER_SHARE * self._seconds), most)

    def _roles_of_interest(self, turn: int) -> list[gdl.Role]:
        """Return the roles for which to search a position, those with a choice first.

        Return an empty list if the position needs no search. If the goals of two roles have a fixed
        sum, return only the roles with a choice, or one role if neither has a choice.
        """
        game, line = self._game, self._line
        if game.is_terminal(line.states[turn]):
            return []
        deciders = line.deciders(turn) if turn < line.num_turns else None
        if deciders == ():  # all moves are forced, so the value is that of the next position
            return []
        first = [role for role in self._roles if game.roles.index(role) in (deciders or ())]
        if self._sharing.total is not None:
            return first or [self._roles[0]]
        return [*first, *(role for role in self._roles if role not in first)]

    def _by_index(self, found: dict[gdl.Role, SearchResult]) -> Estimates:
        return {self._game.roles.index(role): result for role, result in found.items()}
