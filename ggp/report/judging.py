"""The value of each move of a match, based on the positions before and after it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import gdl
from ggp.match.referee import played_roles
from ggp.report.match_line import MatchLine
from ggp.report.match_report import MoveReport, deciding_turn
from ggp.report.worths import DIGITS, MIN_VISITS, SettledPosition
from ggp.search.core.choices import Joint, in_words
from ggp.search.core.result import BEST, WORST

BEHIND: Final = 0.8
"""Share of an even split of the goals. A role that expected less than this was behind.

If a role was behind, a loss that its move appears to cause may have happened earlier and become
visible only now, because the estimates are inexact.
"""


def judge_moves(
    game: gdl.Game, line: MatchLine, positions: Sequence[SettledPosition]
) -> tuple[MoveReport, ...]:
    """Return reports on the moves of roles that had a choice, in the order of the turns.

    Args:
        positions: `[T + 1]` positions of the match.
    """
    played = [game.roles.index(role) for role in played_roles(game)]
    decided = deciding_turn([position.worth for position in positions])
    moves = [
        _Judgement(game, line, positions, turn).of(role, played.index(role))
        for turn in range(line.num_turns)
        for role in line.deciders(turn)
        if role in played
    ]
    return tuple(
        replace(
            move,
            is_decisive=move.turn == decided and move.lost > 0,
            made_for=line.made_for(move.turn - 1, played[move.role]),
        )
        for move in moves
    )


class _Judgement:
    """The moves of one turn, with the values of the positions before and after it."""

    def __init__(
        self, game: gdl.Game, line: MatchLine, positions: Sequence[SettledPosition], turn: int
    ) -> None:
        num_roles = len(positions[turn].worth.goals)
        self._game = game
        self._state = line.states[turn]
        self._moves = line.moves[turn]
        self._is_alone = len(line.deciders(turn)) == 1
        self._behind = BEHIND * BEST / num_roles if num_roles > 1 else WORST
        self._number = turn + 1
        self._here, self._after = positions[turn], positions[turn + 1]

    def of(self, role: int, own: int) -> MoveReport:
        """Return the report on a role's move.

        Args:
            own: Index of the role among the played roles.
        """
        if not self._is_alone:
            return self._at_the_same_time(role, own)
        here, after, better = self._here.worth, self._after.worth, self._here.better
        is_proven = here.is_proven and after.is_proven
        return MoveReport(
            turn=self._number,
            role=own,
            move=str(self._moves[role]),
            best=str(self._moves[role] if better is None else better.move),
            before=here.goals[own],
            after=after.goals[own],
            is_proven=is_proven,
            line=() if better is None else self._in_words(better.move, better.line),
            is_sure=is_proven or here.goals[own] >= self._behind,
        )

    def _at_the_same_time(self, role: int, own: int) -> MoveReport:
        """Return the report on a simultaneous move, judged before the other moves were known."""
        made, found = self._moves[role], self._here.estimates.get(role)
        values = {} if found is None else {each.move: each for each in found.moves}
        before, value = self._here.worth.goals[own], values.get(made)
        best, lost, is_proven, expected = made, 0.0, False, tuple[Joint, ...]()
        if found is not None and value is not None and found.visits >= MIN_VISITS:
            lost = max(0.0, found.value - value.value)
            is_proven = found.is_proven and value.lower == value.upper
            best, expected = found.move, found.line
        return MoveReport(
            turn=self._number,
            role=own,
            move=str(made),
            best=str(best),
            before=before,
            after=round(max(WORST, before - lost), DIGITS),
            is_proven=is_proven,
            line=() if best == made else self._in_words(best, expected),
        )

    def _in_words(self, move: gdl.Move, line: Sequence[Joint]) -> tuple[str, ...]:
        return tuple(in_words(self._game, self._state, line)) or (str(move),)
