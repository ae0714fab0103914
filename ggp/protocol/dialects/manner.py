"""A dialect from a game manager's side: what is said when, how long it waits, how it reads replies.

What all dialects have in common stands here; a dialect says what it does otherwise.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from ggp.errors import GgpError
from ggp.protocol.http_framing import HttpFraming
from ggp.protocol.messages import Abort, Happened, Message, Play, Start, Stop


class UnspeakableError(GgpError):
    """A match of a kind for which a dialect has no words."""


@dataclass(frozen=True, slots=True)
class Grace:
    """Seconds beyond the clock in which a reply still counts."""

    start: float
    play: float
    stop: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Beginning:
    """Content of START. Clocks are seconds."""

    match: str
    role: str
    rules: str
    """Prefix KIF without comments."""
    startclock: int
    playclock: int
    epilog: str = ""
    """The same rules in Epilog, for the dialects that want them so."""
    has_percepts: bool = False
    """Whether roles see only what the rules let them see (GDL-II)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LastTurn:
    """Facts about the turn that is over; which of them a role is sent is the dialect's business.

    Terms are KIF.
    """

    number: int = 0
    """Joint moves made so far."""
    roles: tuple[str, ...] = ()
    moves: tuple[str, ...] | None = None
    """The joint move in role order; None if there was none."""
    own_move: str | None = None
    """The move made for the role that is told."""
    single_move: str | None = None
    """The move of the one role that was in control; None if that cannot be said."""
    percepts: tuple[str, ...] | None = None
    """Percepts of the role, in games where they are not everything."""


class Manner(ABC):
    """Manner in which a game manager of one dialect speaks to a player, in any number of matches.

    Attributes:
        name: What people call the dialect by.
        framing: The HTTP that messages are sent in.
        grace: How late replies may come.
        info: The message that asks a player who it is; empty if there is none.
    """

    name: ClassVar[str]
    framing: ClassVar[HttpFraming]
    grace: ClassVar[Grace] = Grace(start=0.0, play=1.0, stop=0.0)
    info: ClassVar[str] = ""

    @abstractmethod
    def write(self, message: Message) -> str:
        """A message's text."""

    def start(self, begun: Beginning) -> str:
        """The match begins.

        Raises:
            UnspeakableError: It cannot be told in this dialect.
        """
        return self.write(
            Start(begun.match, begun.role, begun.rules, begun.startclock, begun.playclock)
        )

    def play(self, match: str, last: LastTurn) -> str:
        """The last turn is over, say your move."""
        return self.write(Play(match, self.happened(last)))

    def stop(self, match: str, last: LastTurn) -> str:
        """The match is over."""
        return self.write(Stop(match, self.happened(last)))

    def abort(self, match: str, last: LastTurn) -> str:
        """The match is broken off."""
        return self.write(Abort(match))

    def happened(self, last: LastTurn) -> Happened:
        """The joint move, or what the role saw of it where that is not everything."""
        if last.moves is None:
            return happened_to(None)
        return happened_to(last.moves if last.percepts is None else last.percepts)

    def content(self, reply: str) -> str:
        """A reply without its wrapping."""
        return reply

    def move(self, reply: str, legal: tuple[str, ...]) -> str:
        """The text that a referee is to judge: of two spellings of a legal move the rules' own.

        Args:
            reply: As it came.
            legal: The moves that the role has.
        """
        return self.content(reply)


def happened_to(terms: tuple[str, ...] | None) -> Happened:
    """A list of moves or percepts as PLAY and STOP hold it."""
    return Happened("NIL" if terms is None else f"({' '.join(terms)})", terms)
