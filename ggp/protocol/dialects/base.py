"""The dialect of a game manager: its messages, its time limits and how it parses replies.

The base class implements what all dialects share. Each dialect overrides what differs.
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
    """The HTTP requests of one kind of game manager.

    Attributes:
        head: The lines before the body, with placeholders `{path}`, `{host}`, `{receiver}` and
            `{length}`.
        heeds_length: Whether Content-Length marks the end of a reply. Otherwise, and if it is
            missing, the reply ends with the stream.
    """

    head: tuple[str, ...]
    heeds_length: bool = True

    def request(self, message: str, *, host: str, path: str = "/", receiver: str = "") -> bytes:
        """Return the whole HTTP request for a message.

        Content-Length counts bytes. GGP-Base counts characters, which is the same for ASCII, as in
        real messages.
        """
        body = message.encode()
        told = {"path": path, "host": host, "receiver": receiver, "length": len(body)}
        # A name must not start a new line, whatever the player treats as a line end.
        lines = [_CONTROL.sub("", line.format_map(told)) for line in self.head]
        return "\r\n".join([*lines, "", ""]).encode() + body


class UnspeakableError(GgpError):
    """A dialect cannot express the match."""


@dataclass(frozen=True, slots=True)
class Grace:
    """The seconds after the end of a clock in which a reply still counts, by kind of message."""

    start: float
    play: float
    stop: float


@dataclass(frozen=True, slots=True)
class Invitation:
    """The content of a START message to a player.

    Clocks are in seconds. Rules are prefix KIF without comments, with the names that their author
    chose.

    Attributes:
        epilog: The same rules in Epilog. Empty if no seat needs them.
        has_percepts: Whether roles see only what the rules show them (GDL-II).
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
    """The report that a seat gets after a turn. It may tell its player only a part of this."""

    turn: int
    """Number of joint moves made so far."""
    moves: tuple[str, ...] | None
    """The last joint move, in role order. None if there was none."""
    percepts: tuple[str, ...] | None = None
    """The role's percepts of the joint move. None in games of complete information. A player that
    has percepts gets these and its own move, but never the moves of other roles.
    """
    own_move: str | None = None
    """The role's own move in the last joint move."""
    single_move: str | None = None
    """The move of the role that was in control. None if that is unclear."""
    roles: tuple[str, ...] = ()
    """All roles, including `random`."""
    legal: tuple[str, ...] = ()
    """The role's legal moves now. Empty if the game is over."""


class ManagerDialect(ABC):
    """A writer of messages as one kind of game manager sends them, and a parser of replies.

    It keeps no state, so one object serves any number of matches.

    Attributes:
        name: The name of the dialect for users.
        framing: The form of the HTTP requests that carry messages.
        grace: How long after the end of a clock replies may arrive.
        info: The message that requests information about a player. Empty if there is none.
    """

    name: ClassVar[str]
    framing: ClassVar[HttpFraming]
    grace: ClassVar[Grace] = Grace(start=0.0, play=1.0, stop=0.0)
    info: ClassVar[str] = ""

    @abstractmethod
    def write(self, message: Message) -> str:
        """Write a message as text."""

    def start(self, begun: Invitation) -> str:
        """Write the START of a match.

        Raises:
            UnspeakableError: The dialect cannot express the match.
        """
        return self.write(
            Start(begun.match_id, begun.role, begun.rules, begun.startclock, begun.playclock)
        )

    def play(self, match: str, last: TurnReport) -> str:
        """Write a PLAY, which reports the last turn and requests a move."""
        return self._told(Play, match, last)

    def stop(self, match: str, last: TurnReport) -> str:
        """Write a STOP, which ends the match."""
        return self._told(Stop, match, last)

    def abort(self, match: str, last: TurnReport) -> str:
        """Write the message that aborts the match."""
        return self.write(Abort(match))

    def _told(self, kind: type[Play | Stop], match: str, last: TurnReport) -> str:
        return self.write(kind(match, self.happened(last)))

    def happened(self, last: TurnReport) -> Happened:
        """Return the report on the last turn, which PLAY and STOP contain.

        It has the joint move or, in games of incomplete information, the role's percepts.
        """
        if last.moves is None:
            return happened_to(None)
        return happened_to(last.moves if last.percepts is None else last.percepts)

    def content(self, reply: str) -> str:
        """Return a reply without the term that some dialects wrap around it."""
        return reply

    def move(self, reply: str, legal: tuple[str, ...]) -> str:
        """Return the move in a reply. A legal move is spelled as in the rules.

        The move may be illegal: the referee judges that.
        """
        return self.content(reply)


def happened_to(terms: tuple[str, ...] | None) -> Happened:
    """Return a report on the last turn with these moves or percepts. None is written as NIL."""
    return Happened("NIL" if terms is None else f"({' '.join(terms)})", terms)


class GgpBase(ManagerDialect):
    """The dialect of Stanford's game server from 2010 to 2016.

    It has no format for percepts, so they are sent as by Dresden's GameController.
    """

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
        """Write a message as text."""
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
