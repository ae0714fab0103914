"""A seat: whatever plays one role in a match that we run.

Behind it may be a process of our own, a player on another machine or a test's script; the referee
does not know which.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable


@dataclass(frozen=True, slots=True)
class Invitation:
    """The content of START for a player.

    Clocks are seconds; rules are prefix KIF without comments, in the author's spelling.

    Attributes:
        epilog: The same rules in Epilog, where some seat wants them so.
        has_percepts: Whether roles see only what the rules let them see (GDL-II).
    """

    match_id: str
    role: str
    rules: str
    startclock: int
    playclock: int
    epilog: str = ""
    has_percepts: bool = False


@dataclass(frozen=True, slots=True)
class TurnReport:
    """The news that one role's seat has of what happened; some of it is not for its player."""

    turn: int
    """Joint moves made so far."""
    moves: tuple[str, ...] | None
    """The last of them, in role order; None if there was none."""
    percepts: tuple[str, ...] | None = None
    """The role's percepts of it, in games where that is not all: then its player gets this
    and its own move, and never the others' moves."""
    own_move: str | None = None
    """The role's own move of that turn."""
    single_move: str | None = None
    """The move of the one role that was in control; None if that cannot be said."""
    roles: tuple[str, ...] = ()
    """All roles, `random` too."""
    legal: tuple[str, ...] = ()
    """The moves that the role has now; none where the game is over."""


@dataclass(frozen=True, slots=True)
class Answer:
    """A player's answer to PLAY."""

    text: str
    """The move, just as it came."""
    thoughts: Mapping[str, object] = field(default_factory=dict)
    """The player's report on its search, where it gives one; values JSON can hold."""
    fallback: str = ""
    """Why the move is not the player's own choice (it failed, or was late); empty if it is."""
    replaced: int = 0
    """Replacements of the player's process since its last answer."""


class Seat(Protocol):
    """One player of one match, asked from start to stop or abort.

    Any method may raise `SeatError` (or `OSError`) when the player cannot be reached, and may be
    cancelled when its time is up. `play` may raise `TakeBackError`. Any other `GgpError` ends the
    match.
    """

    @property
    def name(self) -> str:
        """The player's name in records and tables."""
        ...

    async def start(self, invitation: Invitation) -> None:
        """Let the player get ready; returns when it is."""
        ...

    async def resume(self, invitation: Invitation, history: Sequence[TurnReport]) -> None:
        """Go on with a match that was interrupted after these turns."""
        ...

    async def play(self, report: TurnReport) -> Answer:
        """The player's move, given what happened in the turn before."""
        ...

    async def stop(self, report: TurnReport) -> None:
        """Report to the player that the match is over, and how it ended."""
        ...

    async def abort(self) -> None:
        """Report to the player that the match is broken off."""
        ...

    async def adjourn(self) -> None:
        """Rest: the match may go on later, by `resume` on another seat for the same player."""
        ...


@runtime_checkable
class PunctualSeat(Seat, Protocol):
    """A seat that keeps the clocks itself, since only it knows when its player was asked."""

    @property
    def overtime_seconds(self) -> float:
        """Most time that it may take beyond the clock, whatever it does meanwhile."""
        ...


@runtime_checkable
class PatientSeat(Seat, Protocol):
    """A seat whose player can go back to an earlier position of the match."""

    async def go_back(self, num_turns: int) -> None:
        """Forget what came after so many turns; the last of them comes again with `play`."""
        ...
