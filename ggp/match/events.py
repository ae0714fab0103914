"""Events that a referee reports during a match."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from typing import Final

from ggp.match.seat import NOTHING_PRINTED, PrintedAmount
from ggp.records.record import MatchRecord

FALLBACK: Final = "FB"
"""Prefix of the reason in the record if one of our players did not choose its move itself."""
OWN_MARKS: Final = ("", f"{FALLBACK} best so far")
"""Marks of moves that the player found itself, including its best one when time was up."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The outcome of one role's turn."""

    role: str
    move: str
    """The move that is played: the player's own, or the random move that replaces it."""
    error: str = ""
    """Empty, or `IL <answer>`, `TO` or `CE`, as in the record."""
    seconds: float = 0.0
    """Seconds from the request to the answer or to the timeout."""
    num_legal: int = 1
    """Number of legal moves."""
    search_info: Mapping[str, object] = field(default_factory=dict)
    fallback: str = ""
    """Why the move is not the player's own choice, if known. Empty if it is."""
    replaced: int = 0
    """How often the player's process was replaced since its last answer."""
    printed: str = ""
    """The beginning of the player's output since its last answer, if known."""
    printed_amount: PrintedAmount = NOTHING_PRINTED

    @property
    def mark(self) -> str:
        """The answer's mark in the record: its error or `FB <fallback>`.

        Empty if the answer is a legal move that the player chose itself.
        """
        return self.error or (f"{FALLBACK} {self.fallback}" if self.fallback else "")


@dataclass(frozen=True, slots=True)
class Began:
    """The match begins: all players have answered START, or the startclock has run out."""

    roles: tuple[str, ...]
    record: MatchRecord


@dataclass(frozen=True, slots=True)
class Asked:
    """PLAY has been sent to all players."""

    turn: int
    """Number of the turn, counted from 1."""
    deciding: tuple[str, ...]
    """The roles that have more than one legal move."""


@dataclass(frozen=True, slots=True)
class Answered:
    """A player has answered PLAY, or its playclock has run out. Others may still be thinking."""

    turn: int
    role: str


@dataclass(frozen=True, slots=True)
class Moved:
    """A joint move has been made. The record's last state is the state after it."""

    turn: int
    replies: tuple[Reply, ...]
    """The replies, in role order."""
    record: MatchRecord
    percepts: tuple[tuple[str, ...], ...] = ()
    """What each role saw of the move. Empty in games of complete information."""


@dataclass(frozen=True, slots=True)
class TakenBack:
    """Moves have been taken back. The match continues from the record's last state."""

    record: MatchRecord


@dataclass(frozen=True, slots=True)
class Ended:
    """The match is over: completed, or aborted for `reason`."""

    record: MatchRecord
    reason: str = ""


Event = Began | Asked | Answered | Moved | TakenBack | Ended
Observer = Callable[[Event], Awaitable[None] | None]
