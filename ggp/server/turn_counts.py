"""The counts of a server: what became of its turns and matches since it began."""

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
"""The origin of a move that nobody chose: something of ours has failed."""
ENDINGS: Final = ("stopped", "aborted", "dropped")


class TurnCounts:
    """Counts, all of them growing.

    Attributes:
        origins: Turns by where the move comes from.
        overruled: Turns in which the manager says that we played another move than we answered: it
            was late or illegal for it.
        iterations, playouts: Leaves that searches have looked at, and random games.
        left: Seconds of the playclock at each answer; 0 for one that was late.
        late: Answers that left when the playclock was over.
        slow: Answers with a slow step, by that step (`ggp.server.turn_trace`).
        endings: Matches by how they ended.
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
            answered: Our move of the turn before; None if there was none.
            role: Our number in role order.
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
        """Count an answer."""
        self.left.note(max(0.0, left))
        self.late += left < 0
        if slow_step:
            self.slow[slow_step] += 1
