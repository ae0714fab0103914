"""A seat: the player of one role in a match that we run.

The player may be a process of our own, a program on another machine or a script in a test. The
referee does not know which.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple, Protocol, runtime_checkable

from ggp.protocol.dialects.base import Invitation, TurnReport
from ggp.term_text import first_term, spaced

__all__ = [
    "Answer",
    "Invitation",
    "OwnSeat",
    "PatientSeat",
    "PrintedAmount",
    "PunctualSeat",
    "Seat",
    "TurnReport",
    "judge",
    "replacements",
]


class PrintedAmount(NamedTuple):
    """The amount that a player has printed, including the part that is not stored."""

    num_lines: int = 0
    num_bytes: int = 0


NOTHING_PRINTED: Final = PrintedAmount()


@dataclass(frozen=True, slots=True)
class Answer:
    """A player's answer to PLAY."""

    text: str
    """The move exactly as it arrived."""
    search_info: Mapping[str, object] = field(default_factory=dict)
    """The player's report on its search, if it gives one. The values fit into JSON."""
    fallback: str = ""
    """Why the move is not the player's own choice, for example because it failed or was late. Empty
    if it is its own choice.
    """
    replaced: int = 0
    """How often the player's process was replaced since its last answer."""
    printed: str = ""
    """The beginning of the player's output since its last answer, if known."""
    printed_amount: PrintedAmount = NOTHING_PRINTED
    missing: str = ""
    """`TO` or `CE` if the player sent no move but its seat has something to report. Then `text` is
    played if it is legal.
    """


class Seat(Protocol):
    """One player of one match, from START to STOP or ABORT.

    Any method may raise `SeatError` or `OSError` if the player cannot be reached. Any call may be
    cancelled when its time is up. `play` may raise `TakeBackError`. Any other `GgpError` ends the
    match.
    """

    @property
    def name(self) -> str:
        """The player's name in records and tables."""

    async def start(self, invitation: Invitation) -> None:
        """Let the player prepare. Return when it is ready."""

    async def resume(self, invitation: Invitation, history: Sequence[TurnReport]) -> None:
        """Rejoin an interrupted match after the turns in `history`."""

    async def play(self, report: TurnReport) -> Answer:
        """Return the player's move, given the report of the last turn."""

    async def stop(self, report: TurnReport) -> None:
        """Tell the player that the match is over and how it ended."""

    async def abort(self) -> None:
        """Tell the player that the match is aborted."""

    async def adjourn(self) -> None:
        """Pause the match. It may continue later with `resume`, on another seat for the player."""


class OwnSeat(ABC):
    """A seat whose player is ended in all cases: when the match is over, aborted or adjourned."""

    @abstractmethod
    async def abort(self) -> None:
        """End the player."""

    async def stop(self, report: TurnReport) -> None:
        """End the player."""
        await self.abort()

    async def adjourn(self) -> None:
        """End the player. `resume` starts a new one."""
        await self.abort()


@runtime_checkable
class PunctualSeat(Seat, Protocol):
    """A seat that measures the clocks itself, because only it knows when it sent each request."""

    @property
    def overtime_seconds(self) -> float:
        """Seconds that a request may take beyond the clock, at most."""


@runtime_checkable
class PatientSeat(Seat, Protocol):
    """A seat whose player can return to an earlier position of the match."""

    async def go_back(self, num_turns: int) -> None:
        """Forget everything after `num_turns` turns.

        The next call of `play` reports the last of the remaining turns again.
        """


MAX_QUOTED = 200
"""Maximum number of characters of an illegal answer in the record."""


def judge(answer: str, legal: Iterable[str]) -> tuple[str | None, str]:
    """Return the legal move that an answer names, and "". If there is none: None, and the error.

    The comparison is case-sensitive but ignores blanks. `(noop)` is not `noop`, and `03` is not
    `3`. The text after the first complete term is ignored.
    """
    term = first_term(answer)
    if term is not None and term in set(legal):
        return term, ""
    quoted = "null" if term is None else spaced(term)[:MAX_QUOTED]
    return None, f"IL {quoted}"


def replacements(legal: Mapping[str, Sequence[str]], seed: int, turn: int) -> dict[str, str]:
    """Return a random legal move for each role, to replace a late, missing or illegal answer.

    The moves are chosen for all roles before any player answers. So in matches with the same seed,
    the behaviour of one player does not affect the replacements for the others.

    Args:
        legal: The legal moves of each role. They are sorted here, because their order may change
            when a match is resumed.
    """
    rng = random.Random(f"{seed}:{turn}")
    return {role: rng.choice(sorted(moves)) for role, moves in legal.items()}
