"""What each move of a match was worth, by what is known of the positions before and after it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import gdl
from ggp.match.referee import played_roles
from ggp.report.match_line import MatchLine
from ggp.report.match_report import MoveReport, Worth
from ggp.search.core.choices import in_words
from ggp.search.core.result import BEST, WORST, SearchResult

FEWEST_VISITS: Final = 100
"""Fewer say nothing: such a move is not judged."""
BEHIND: Final = 0.8
"""Of an even share of the goals. Who could expect less was behind, as far as estimates go: what
seems to be lost by the move may have been lost before, and only came to light."""


class Known(NamedTuple):
    """The knowledge of a position.

    Attributes:
        worth: To each role that is played.
        found: What searches found, by the index of the role in the game; of a position that is
            solved, a better move than the one that was made, if there was one.
    """

    worth: Worth
    found: dict[int, SearchResult]


def judge_moves(game: gdl.Game, line: MatchLine, known: Sequence[Known]) -> tuple[MoveReport, ...]:
    """The moves of roles that had a choice, in the order of the turns.

    Args:
        known: `[T + 1]` of its positions.
    """
    played = [game.roles.index(role) for role in played_roles(game)]
    return tuple(
        _Judgement(game, line, known, turn).of(role, played.index(role))
        for turn in range(line.num_turns)
        for role in line.deciders(turn)
        if role in played
    )


class _Judgement:
    """The moves of one turn."""

    def __init__(self, game: gdl.Game, line: MatchLine, known: Sequence[Known], turn: int) -> None:
        num_roles = len(known[turn].worth.goals)
        self._game = game
        self._state = line.states[turn]
        self._moves = line.moves[turn]
        self._is_alone = len(line.deciders(turn)) == 1
        self._behind = BEHIND * BEST / num_roles if num_roles > 1 else WORST
        self._number = turn + 1
        self._here, self._after = known[turn], known[turn + 1]

    def of(self, role: int, own: int) -> MoveReport:
        if not self._is_alone:
            return self._at_the_same_time(role, own)
        before, after = self._here.worth.goals[own], self._after.worth.goals[own]
        is_proven = self._here.worth.is_proven and self._after.worth.is_proven
        is_judged = before > after if is_proven else before >= self._behind
        best = self._better(role) if is_judged else None
        if best is None or not best.line:
            return self._fine(role, own, after, is_proven=is_proven)
        return MoveReport(
            turn=self._number,
            role=own,
            move=str(self._moves[role]),
            best=str(best.line[0][role]),
            before=before,
            after=after,
            is_proven=is_proven,
            line=self._in_words(best),
        )

    def _better(self, role: int) -> SearchResult | None:
        found = self._here.found
        if self._here.worth.is_proven:  # whoever searched, the first of the line is the mover's
            best = found.get(role) or next(iter(found.values()), None)
        else:
            best = found.get(role)
            if best is not None and best.visits < FEWEST_VISITS:
                return None
        is_other = best is not None and best.line and best.line[0][role] != self._moves[role]
        return best if is_other else None

    def _at_the_same_time(self, role: int, own: int) -> MoveReport:
        """A move that others did not know yet: what it promised counts, not what came of it."""
        made, found = self._moves[role], self._here.found.get(role)
        values = {} if found is None else {each.move: each for each in found.moves}
        if found is None or made not in values or found.visits < FEWEST_VISITS:
            return self._fine(role, own, self._here.worth.goals[own], is_proven=False)
        best, value = max(found.moves, key=lambda each: each.value), values[made]
        is_line = bool(found.line) and found.line[0][role] == best.move
        return MoveReport(
            turn=self._number,
            role=own,
            move=str(made),
            best=str(best.move),
            before=best.value,
            after=value.value,
            is_proven=best.lower == best.upper and value.lower == value.upper,
            line=self._in_words(found) if is_line else (),
        )

    def _fine(self, role: int, own: int, worth: float, *, is_proven: bool) -> MoveReport:
        move = str(self._moves[role])
        return MoveReport(self._number, own, move, move, worth, worth, is_proven)

    def _in_words(self, found: SearchResult) -> tuple[str, ...]:
        return tuple(in_words(self._game, self._state, found.line))
