"""Values of the positions of a match.

If only one role had a choice in a turn, the position before the turn has the value of the position
after it, or the value of another move if that is higher. So the role's curve falls by the loss of
its move, and values found for later positions also count in earlier positions.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Final, NamedTuple

import gdl
from ggp.match.referee import played_roles
from ggp.report.match_line import MatchLine
from ggp.report.match_report import Worth
from ggp.report.solving import Exact
from ggp.search.core.choices import Joint
from ggp.search.core.result import BEST, WORST, MoveValue, SearchResult

MIN_VISITS, MIN_OF_A_MOVE = 100, 20
"""A position or a move with fewer visits is not judged."""
DIGITS: Final = 2
"""Decimals of goals. Values are rounded first, so differences match the displayed values."""

Estimates = Mapping[int, SearchResult]
"""Results of searches in a position, by the index of the role in the game."""


class Better(NamedTuple):
    """A move that was better than the one made, and its expected continuation."""

    move: gdl.Move
    line: tuple[Joint, ...]


class SettledPosition(NamedTuple):
    """A position with its value, as the report needs it.

    Attributes:
        worth: The value for each played role.
        better: A better move of the only role with a choice. None if no better move is known.
        estimates: Results of the searches of this position, by role. Empty if it was not searched.
    """

    worth: Worth
    better: Better | None = None
    estimates: Estimates = MappingProxyType({})


def settle(
    game: gdl.Game,
    line: MatchLine,
    exact: Mapping[int, Exact],
    estimates: Mapping[int, Estimates],
    total: float | None,
) -> list[SettledPosition]:
    """Return the positions of a match with their values.

    Args:
        exact: The solved positions, by the number of moves before them.
        estimates: Search results for the other positions in which some role has a choice.
        total: The fixed sum of two roles' goals, or None if there is none.
    """
    return _Settling(game, line, exact, estimates, total).run()


class _Settling:
    def __init__(
        self,
        game: gdl.Game,
        line: MatchLine,
        exact: Mapping[int, Exact],
        estimates: Mapping[int, Estimates],
        total: float | None,
    ) -> None:
        self._game = game
        self._line = line
        self._exact = exact
        self._estimates = estimates
        self._total = total
        self._played = [game.roles.index(role) for role in played_roles(game)]
        self._positions: dict[int, SettledPosition] = {}

    def run(self) -> list[SettledPosition]:
        num = self._line.num_turns
        for turn in range(num, -1, -1):
            self._positions[turn] = self._position(turn)
            self._correct_after(turn)
        return [self._positions[turn] for turn in range(num + 1)]

    def _position(self, turn: int) -> SettledPosition:
        line, game, state = self._line, self._game, self._line.states[turn]
        if turn in self._exact:
            known = self._exact[turn]
            worth = Worth(_rounded(known.goals), is_proven=True)
            return SettledPosition(worth, self._named(turn, known.better))
        if game.is_terminal(state):
            goals = [game.goal(state, game.roles[role]) for role in self._played]
            return SettledPosition(Worth(_rounded(goals), is_proven=True))
        deciders = line.deciders(turn) if turn < line.num_turns else ()
        if turn < line.num_turns and not deciders:
            return SettledPosition(self._positions[turn + 1].worth)
        if len(deciders) == 1 and deciders[0] in self._played:
            return self._after_choice(turn, deciders[0])
        return self._estimated(turn)

    def _named(self, turn: int, better: SearchResult | None) -> Better | None:
        """Return the deciding role's move in the solver's result, and the line that it begins."""
        if better is None or not better.line or turn == self._line.num_turns:
            return None
        (decider,) = self._line.deciders(turn)
        return Better(better.line[0][decider], better.line)

    def _after_choice(self, turn: int, role: int) -> SettledPosition:
        estimates, own = self._estimates[turn], self._played.index(role)
        found, after = estimates[role], self._positions[turn + 1].worth
        low = max((move.lower for move in found.moves), default=WORST)
        high = max((move.upper for move in found.moves), default=BEST)
        other = _other(found, self._line.moves[turn][role])
        value = after.goals[own]
        if other is not None:
            value = max(value, other.value)
        value = round(min(max(value, low), high), DIGITS)
        if value == after.goals[own]:
            is_proven = after.is_proven and found.is_proven
            return SettledPosition(Worth(after.goals, is_proven), None, estimates)
        goals = self._goals(estimates, own, value)
        better = None
        if other is not None and value > after.goals[own]:
            is_first = bool(found.line) and found.line[0][role] == other.move
            better = Better(other.move, found.line if is_first else ())
        return SettledPosition(Worth(goals, found.is_proven), better, estimates)

    def _estimated(self, turn: int) -> SettledPosition:
        """Return a position before simultaneous or chance moves, or at the end of the record.

        Its value is the one that the searches estimate.
        """
        estimates = self._estimates[turn]
        is_proven = len(estimates) == len(self._played) and all(
            found.is_proven for found in estimates.values()
        )
        first = next(iter(estimates))
        own = self._played.index(first)
        goals = self._goals(estimates, own, round(estimates[first].value, DIGITS))
        return SettledPosition(Worth(goals, is_proven), None, estimates)

    def _goals(self, estimates: Estimates, own: int, value: float) -> tuple[float, ...]:
        if self._total is not None:
            both = value, round(self._total - value, DIGITS)
            return both if own == 0 else both[::-1]
        goals = [estimates[role].value for role in self._played]
        goals[own] = value
        return _rounded(goals)

    def _correct_after(self, turn: int) -> None:
        """Lower the values of estimated positions after `turn` that exceed the value at `turn`.

        No position after a role's move is worth more to the role than the position before it.
        """
        line = self._line
        while turn < line.num_turns and len(line.deciders(turn)) == 1:
            (role,) = line.deciders(turn)
            here, after = self._positions[turn], self._positions[turn + 1]
            own = self._played.index(role) if role in self._played else None
            if own is None or after.worth.goals[own] <= here.worth.goals[own]:
                break
            if after.worth.is_proven:
                break
            worth = Worth(here.worth.goals, is_proven=False)
            self._positions[turn + 1] = after._replace(worth=worth)
            turn += 1


def _other(found: SearchResult, made: gdl.Move) -> MoveValue | None:
    """Return the best move except the one made, or None if the other moves have too few visits."""
    fewest = MIN_OF_A_MOVE if found.visits >= MIN_VISITS else math.inf
    return next(
        (
            each
            for each in found.moves
            if each.move != made and (each.visits >= fewest or each.limits[0] == each.limits[1])
        ),
        None,
    )


def _rounded(goals: Sequence[float]) -> tuple[float, ...]:
    return tuple(round(float(goal), DIGITS) for goal in goals)
