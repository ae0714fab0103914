"""Log lines about matches (start, replaced answers, end), and counters of all answers."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

import gdl
from ggp.log import log_event
from ggp.manager.store.matches import PlayedTurn
from ggp.manager.store.tables import MatchRow, Status
from ggp.match.events import FALLBACK
from ggp.match.search_info import count
from ggp.metrics.metric import Histogram
from ggp.metrics.shared import LEFT_SECONDS

LEGAL: Final = "legal"
VERDICTS: Final = {"IL": "illegal", "TO": "late", "CE": "unreachable"}
"""Maps the code at the beginning of an answer's error to the verdict."""


@dataclass(frozen=True, slots=True)
class MatchLog:
    """The log lines about one match."""

    number: int
    game: str
    players: Mapping[int, tuple[str, str]]
    """Maps the index of each role to the role and its player's name."""

    @classmethod
    def of(cls, match: MatchRow) -> Self:
        """Create the log of a stored match, which must have been read with its seats and rules."""
        players = {seat.role_index: (seat.role, seat.player_name) for seat in match.seats}
        return cls(match.id, match.rulesheet.name, players)

    def runs(self) -> None:
        """Log that the match starts or continues."""
        names = ", ".join(name for _, name in self.players.values())
        log_event(logging.INFO, "match runs", match=self.number, game=self.game, players=names)

    def played(self, turn: PlayedTurn) -> None:
        """Log each replaced answer of a turn. Turn 0 is the START phase."""
        for index, error in enumerate(turn.errors):
            if not error or index not in self.players:
                continue
            role, name = self.players[index]
            reply = turn.replies[index] if turn.replies else {}
            log_event(
                logging.WARNING,
                "answer replaced" if turn.number else "START failed",
                match=self.number,
                turn=turn.number,
                role=role,
                player=name,
                error=error,
                reason=None if error.startswith(FALLBACK) else reply.get("fallback") or None,
                seconds=reply.get("seconds"),
            )


def log_end(number: int, outcome: Mapping[str, Any]) -> None:
    """Log that a match has ended or was interrupted. `outcome` is the data of the event `ended`."""
    goals = " ".join(map(str, outcome["goals"])) or None
    log_event(
        logging.INFO,
        "match interrupted" if outcome["status"] == Status.INTERRUPTED else "match over",
        match=number,
        status=outcome["status"],
        goals=goals,
        ending=outcome["ending"] or None,
        reason=outcome["reason"] or None,
    )


class AnswerCounts:
    """Counters of answers and searches. They only grow.

    Attributes:
        verdicts: Number of answers by verdict.
        left: Seconds of the playclock that were left at each answer. 0 if the answer was late.
        iterations, playouts: Total iterations and playouts of searches. Only players that the
            manager starts report them.
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
