"""Counters of players' answers in the matches that this process runs."""

from __future__ import annotations

from collections import Counter
from typing import Final

import gdl
from ggp.manager.store.matches import PlayedTurn
from ggp.match.search_info import count
from ggp.metrics.metric import Histogram
from ggp.metrics.shared import LEFT_SECONDS

LEGAL: Final = "legal"
VERDICTS: Final = {"IL": "illegal", "TO": "late", "CE": "unreachable"}
"""Maps the code at the beginning of an answer's error to the verdict."""


class AnswerCounts:
    """Counters of answers and searches. They only grow.

    Attributes:
        verdicts: Number of answers by verdict.
        left: Seconds of the playclock that were left at each answer. 0 if the answer was late.
        iterations, playouts: Total iterations and playouts of searches. Only players that run on
            this machine report them.
    """

    def __init__(self) -> None:
        self.verdicts = Counter(dict.fromkeys((LEGAL, *VERDICTS.values()), 0))
        self.left = Histogram(LEFT_SECONDS)
        self.iterations = self.playouts = 0.0

    def played(self, playclock: float, turn: PlayedTurn) -> None:
        """Count the answers of a turn."""
        for reply, error in zip(turn.replies, turn.errors, strict=False):
            if reply["role"] == gdl.RANDOM:
                continue
            self.verdicts[VERDICTS.get(error[:2], LEGAL)] += 1
            self.left.note(max(0.0, playclock - reply["seconds"]))
            thoughts = reply["thoughts"]
            for name in ("iterations", "iterations_before"):
                self.iterations += count(thoughts, name)
            self.playouts += count(thoughts, "playouts")
