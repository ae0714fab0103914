"""A seat: whatever plays one role in a match that we run.

Behind it may be a process of our own, a player on another machine or a test's script; the referee
does not know which.
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
    """Amount of a player's output, kept or not."""

    num_lines: int = 0
    num_bytes: int = 0


NOTHING_PRINTED: Final = PrintedAmount()


@dataclass(frozen=True, slots=True)
class Answer:
    """A player's answer to PLAY."""

    text: str
    """The move, just as it came."""
    search_info: Mapping[str, object] = field(default_factory=dict)
    """The player's report on its search, where it gives one; values JSON can hold."""
    fallback: str = ""
    """Why the move is not the player's own choice (it failed, or was late); empty if it is."""
    replaced: int = 0
    """Replacements of the player's process since its last answer."""
    printed: str = ""
    """What the player has printed since its last answer, where that is known: the beginning."""
    printed_amount: PrintedAmount = NOTHING_PRINTED
    missing: str = ""
    """`TO` or `CE` where no move came, from a seat that has something to tell all the same; `text`
    is then made if it is legal."""


class Seat(Protocol):
    """One player of one match, asked from start to stop or abort.

    Any method may raise `SeatError` (or `OSError`) when the player cannot be reached, and may be
    cancelled when its time is up. `play` may raise `TakeBackError`. Any other `GgpError` ends the
    match.
    """

    @property
    def name(self) -> str:
        """The player's name in records and tables."""

    async def start(self, invitation: Invitation) -> None:
        """Let the player get ready; returns when it is."""

    async def resume(self, invitation: Invitation, history: Sequence[TurnReport]) -> None:
        """Go on with a match that was interrupted after these turns."""

    async def play(self, report: TurnReport) -> Answer:
        """The player's move, given what happened in the turn before."""

    async def stop(self, report: TurnReport) -> None:
        """Report to the player that the match is over, and how it ended."""

    async def abort(self) -> None:
        """Report to the player that the match is broken off."""

    async def adjourn(self) -> None:
        """Rest: the match may go on later, by `resume` on another seat for the same player."""


class OwnSeat(ABC):
    """A seat that need not tell its player how a match ends, or whether it goes on later."""

    @abstractmethod
    async def abort(self) -> None:
        """End what plays."""

    async def stop(self, report: TurnReport) -> None:
        """End what plays."""
        await self.abort()

    async def adjourn(self) -> None:
        """End what plays; `resume` starts anew."""
        await self.abort()


@runtime_checkable
class PunctualSeat(Seat, Protocol):
    """A seat that keeps the clocks itself, since only it knows when its player was asked."""

    @property
    def overtime_seconds(self) -> float:
        """Most time that it may take beyond the clock, whatever it does meanwhile."""


@runtime_checkable
class PatientSeat(Seat, Protocol):
    """A seat whose player can go back to an earlier position of the match."""

    async def go_back(self, num_turns: int) -> None:
        """Forget what came after so many turns; the last of them comes again with `play`."""


MAX_QUOTED = 200
"""Characters of an illegal answer that a record keeps; whatever is longer says nothing more."""


def judge(answer: str, legal: Iterable[str]) -> tuple[str | None, str]:
    """The legal move that an answer names, or None and the error to record.

    Case counts, blanks do not; `(noop)` is not `noop`, and `03` is not `3`. What follows the first
    complete term is ignored.
    """
    term = first_term(answer)
    if term is not None and term in set(legal):
        return term, ""
    quoted = "null" if term is None else spaced(term)[:MAX_QUOTED]
    return None, f"IL {quoted}"


def replacements(legal: Mapping[str, Sequence[str]], seed: int, turn: int) -> dict[str, str]:
    """A random legal move of each role: made where its answer is late, missing or illegal.

    They are drawn before anybody answers, and for everybody: what one player does must not change
    the samples of the others in a match with the same seed.

    Args:
        legal: The legal moves of each role; sorted here, as a match that is taken up again may have
            them in another order.
    """
    rng = random.Random(f"{seed}:{turn}")
    return {role: rng.choice(sorted(moves)) for role, moves in legal.items()}
