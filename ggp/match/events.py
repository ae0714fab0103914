"""Events that a referee reports while a match goes on."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from ggp.match.seat import NOTHING_PRINTED, PrintedAmount
from ggp.records.record import MatchRecord

FALLBACK: Final = "FB"
"""Before the reason, in the record, where a player of ours did not choose its move."""
OWN_MARKS: Final = ("", f"{FALLBACK} best so far")
"""Of moves that a player has found itself, if only the best until its time was over."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The outcome of one role's turn."""

    role: str
    move: str
    """The move that counts: the player's own, or the random one put in its place."""
    error: str = ""
    """Empty, or `IL <answer>`, `TO` or `CE` as in the record."""
    seconds: float = 0.0
    """From the question to the answer, or to giving up."""
    num_legal: int = 1
    """Number of legal moves that there were to choose from."""
    search_info: Mapping[str, object] = field(default_factory=dict)
    fallback: str = ""
    """Why the move is not the player's own choice, where we know; empty if it is."""
    replaced: int = 0
    """Replacements of the player's process since its last answer."""
    printed: str = ""
    """What the player has printed since its last answer, where that is known: the beginning."""
    printed_amount: PrintedAmount = NOTHING_PRINTED

    @property
    def mark(self) -> str:
        """The record's mark of the answer: its error, or `FB <fallback>`; empty if it counts."""
        return self.error or (f"{FALLBACK} {self.fallback}" if self.fallback else "")


@dataclass(frozen=True, slots=True)
class Began:
    """START has been answered by all, or its time is up."""

    roles: tuple[str, ...]
    record: MatchRecord


@dataclass(frozen=True, slots=True)
class Asked:
    """PLAY has gone out to all players."""

    turn: int
    """From 1."""
    deciding: tuple[str, ...]
    """The roles that have a choice."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A player has answered PLAY, or its time is up; others may still think."""

    turn: int
    role: str


@dataclass(frozen=True, slots=True)
class Moved:
    """A joint move has been made; the record's last state is the new one."""

    turn: int
    replies: tuple[Reply, ...]
    """In role order."""
    record: MatchRecord
    percepts: tuple[tuple[str, ...], ...] = ()
    """What each role saw of it; empty in games of complete information."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Moves have been taken back; the record's last state is the position that is played on."""

    record: MatchRecord


@dataclass(frozen=True, slots=True)
class Ended:
    """The match is over: completed, or aborted for the reason given."""

    record: MatchRecord
    reason: str = ""


Event = Began | Asked | Answered | Moved | TakenBack | Ended
Observer = Callable[[Event], Awaitable[None] | None]
