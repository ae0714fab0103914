"""A dialect from a game manager's side: what is said when, how long it waits, how it reads replies.

What all dialects have in common stands here; a dialect says what it does otherwise.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from ggp.errors import GgpError
from ggp.protocol.messages import Abort, Happened, Message, Play, Preview, Start, Stop
from ggp.protocol.terms import ggp_base_spelling, listed, turn_words, word_of

_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]")


@dataclass(frozen=True, slots=True)
class HttpFraming:
    """The HTTP of one kind of game manager.

    Attributes:
        head: The lines before the body; `{path}`, `{host}`, `{receiver}` and `{length}` stand for
            what differs.
        heeds_length: Whether Content-Length says where a reply ends; otherwise, and where there is
            none, the end of the stream does.
    """

    head: tuple[str, ...]
    heeds_length: bool = True

    def request(self, message: str, *, host: str, path: str = "/", receiver: str = "") -> bytes:
        """The whole request that carries a message.

        Content-Length counts bytes, which for the ASCII of real messages is what GGP-Base counts
        too.
        """
        body = message.encode()
        told = {"path": path, "host": host, "receiver": receiver, "length": len(body)}
        # No name begins a line of its own, whatever a player reads as the end of one.
        lines = [_CONTROL.sub("", line.format_map(told)) for line in self.head]
        return "\r\n".join([*lines, "", ""]).encode() + body


class UnspeakableError(GgpError):
    """A match of a kind for which a dialect has no words."""


@dataclass(frozen=True, slots=True)
class Grace:
    """Seconds beyond the clock in which a reply still counts."""

    start: float
    play: float
    stop: float


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


class ManagerDialect(ABC):
    """The words of one kind of game manager to a player, in any number of matches.

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

    def start(self, begun: Invitation) -> str:
        """The match begins.

        Raises:
            UnspeakableError: It cannot be told in this dialect.
        """
        return self.write(
            Start(begun.match_id, begun.role, begun.rules, begun.startclock, begun.playclock)
        )

    def play(self, match: str, last: TurnReport) -> str:
        """The last turn is over, say your move."""
        return self._told(Play, match, last)

    def stop(self, match: str, last: TurnReport) -> str:
        """The match is over."""
        return self._told(Stop, match, last)

    def abort(self, match: str, last: TurnReport) -> str:
        """The match is broken off."""
        return self.write(Abort(match))

    def _told(self, kind: type[Play | Stop], match: str, last: TurnReport) -> str:
        return self.write(kind(match, self.happened(last)))

    def happened(self, last: TurnReport) -> Happened:
        """The joint move, or what the role saw of it where that is not everything."""
        if last.moves is None:
            return happened_to(None)
        return happened_to(last.moves if last.percepts is None else last.percepts)

    def content(self, reply: str) -> str:
        """A reply without its wrapping."""
        return reply

    def move(self, reply: str, legal: tuple[str, ...]) -> str:
        """The text that a referee is to judge: of two spellings of a legal move the rules' own."""
        return self.content(reply)


def happened_to(terms: tuple[str, ...] | None) -> Happened:
    """A list of moves or percepts as PLAY and STOP hold it."""
    return Happened("NIL" if terms is None else f"({' '.join(terms)})", terms)


class GgpBase(ManagerDialect):
    """Stanford's game server of 2010 to 2016; for percepts it has no form, so Dresden's is used."""

    name = "ggp-base"
    framing = HttpFraming(
        (
            "POST {path} HTTP/1.0",
            "Accept: text/delim",
            "Host: {host}",
            "Sender: GAMESERVER",
            "Receiver: {receiver}",
            "Content-Type: text/acl",
            "Content-Length: {length}",
        )
    )
    info = "( INFO )"

    def write(self, message: Message) -> str:
        """A message's text."""
        match message:
            case Preview():
                rules = ggp_base_spelling(message.rules)
                return f"( PREVIEW ({rules} ) {message.previewclock} )"
            case Start():
                rules = ggp_base_spelling(message.rules)
                clocks = f"{message.startclock} {message.playclock}"
                return f"( START {message.match} {message.role} ({rules} ) {clocks})"
            case Play() | Stop():
                last = listed(
                    message.last, "({} )", map(ggp_base_spelling, message.last.items or ())
                )
                return f"( {word_of(message)} {message.match}{turn_words(message)} {last} )"
            case Abort():
                return f"( ABORT {message.match} )"
            case _:
                return f"( {word_of(message)} )"
