"""Counts of how a server's turns and matches have ended."""

from __future__ import annotations

from collections import Counter
from typing import Final

from ggp.engine import Choice, MoveOrigin
from ggp.match.search_info import count
from ggp.match.steps import one_spelling
from ggp.metrics.metric import Histogram
from ggp.metrics.shared import LEFT_SECONDS
from ggp.server.turn_trace import REASONS

FALLBACK: Final = "fallback"
"""Origin of a move that was not chosen at all, because our program failed."""
ENDINGS: Final = ("stopped", "aborted", "dropped")


class TurnCounts:
    """Counts since the server started.

    Attributes:
        origins: Number of turns by the origin of the move.
        overruled: Number of turns for which the manager reported another move than ours, because it
            judged ours late or illegal.
        iterations, playouts: Number of search iterations and of random games.
        left: Seconds of the playclock left at each answer. 0 for a late answer.
        late: Number of answers that left after the playclock had ended.
        slow: Number of answers with a slow step, by that step (`ggp.server.turn_trace`).
        endings: Number of matches by how they ended.
    """

    def __init__(self) -> None:
        self.origins = Counter(dict.fromkeys((*map(str, MoveOrigin), FALLBACK), 0))
        self.overruled = 0
        self.iterations = self.playouts = 0.0
        self.left = Histogram(LEFT_SECONDS)
        self.late = 0
        self.slow = Counter(dict.fromkeys(REASONS, 0))
        self.endings = Counter(dict.fromkeys(ENDINGS, 0))

    def chosen(self, choice: Choice, answered: str | None, role: int) -> None:
        """Count a turn.

        Args:
            answered: Our move in the previous turn. None if there was none.
            role: Our index in role order.
        """
        self.origins[choice.origin.value] += 1
        info = choice.search_info
        self.iterations += count(info, "iterations") + count(info, "iterations_before")
        self.playouts += count(info, "playouts")
        position = choice.position
        if position is None or answered is None:
            return
        played = position.missed or position.joint_move
        if played is not None and one_spelling(played[role]) != answered:
            self.overruled += 1

    def replied(self, left: float, slow_step: str) -> None:
        """Count an answer by the seconds left on the clock and by its slow step, if it has one."""
        self.left.note(max(0.0, left))
        self.late += left < 0
        if slow_step:
            self.slow[slow_step] += 1
