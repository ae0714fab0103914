"""The dialect of Stanford's Gamemaster, in infix notation. Only the role in control answers.

It is based on public material and has not been tested with the site's own players.
"""

from __future__ import annotations

import re

from ggp.protocol.brackets import BracketedText, infix_arguments, kif_items
from ggp.protocol.dialects.base import (
    HttpFraming,
    Invitation,
    ManagerDialect,
    TurnReport,
    UnspeakableError,
    happened_to,
)
from ggp.protocol.errors import ProtocolError
from ggp.protocol.messages import Abort, Happened, Info, Message, Ping, Play, Start, Stop
from ggp.protocol.terms import compact_spelling, infix_spelling, kif_term, word_of

_STRANGE = re.compile(r"[^A-Za-z0-9_]")
_INFIX_REPLY = re.compile(r"reply\s*+\(")
_PREFIX_REPLY = "reply"
MAX_ITEMS = 1000
"""Maximum number of items in a reply that is a list. No real move has more."""


class Gamemaster(ManagerDialect):
    """The dialect of Stanford's web-based manager."""

    name = "gamemaster"
    framing = HttpFraming(
        (
            "POST {path} HTTP/1.0",
            "Accept: text/plain",
            "Host: {host}",
            "Content-Type: text/plain",
            "Content-Length: {length}",
        )
    )
    info = "info()"

    def write(self, message: Message) -> str:
        """Write a message as text."""
        match message:
            case Start():
                clocks = f"{message.startclock},{message.playclock}"
                return f"start({message.match},{message.role},[{message.rules}],{clocks})"
            case Play() | Stop():
                move = message.last.single_move()
                term = "nil" if move is None else infix_spelling(move)
                return f"{word_of(message).lower()}({message.match},{term})"
            case Abort():
                return f"abort({message.match})"
            case Info() | Ping():
                return f"{word_of(message).lower()}({message.identifier or ''})"
            case _:
                return f"{word_of(message).lower()}()"

    def start(self, begun: Invitation) -> str:
        """Write the START of a match.

        Raises:
            UnspeakableError: The game has percepts, or the rules are not available in Epilog.
        """
        if begun.has_percepts:
            raise UnspeakableError(
                "Gamemaster's dialect cannot be used for this game, because it has no "
                "words for what a role sees"
            )
        if not begun.epilog:
            raise UnspeakableError(
                "Gamemaster's dialect needs the rules in Epilog, which are not available"
            )
        match, role = _identifier(begun.match_id), infix_spelling(begun.role)
        return self.write(Start(match, role, begun.epilog, begun.startclock, begun.playclock))

    def _told(self, kind: type[Play | Stop], match: str, last: TurnReport) -> str:
        if last.moves is None or last.single_move is not None:
            return super()._told(kind, _identifier(match), last)
        # A list of all moves is our own extension, which `ggp serve` understands.
        joint = ",".join(map(infix_spelling, last.moves))
        return f"{kind.__name__.lower()}({_identifier(match)},[{joint}])"

    def abort(self, match: str, last: TurnReport) -> str:
        """Write the message that aborts the match."""
        return super().abort(_identifier(match), last)

    def happened(self, last: TurnReport) -> Happened:
        """Return the move of the role that was in control."""
        move = last.single_move
        return happened_to(None) if move is None else Happened(move, None)

    def content(self, reply: str) -> str:
        """Return the term in `reply(id,TERM)` or `(reply id TERM)` as KIF, else the whole reply."""
        reply = reply.strip()
        try:
            return _unwrapped(reply)
        except ProtocolError:
            return reply

    def move(self, reply: str, legal: tuple[str, ...]) -> str:
        """Return the move in a reply. An empty reply means the only legal move, if there is one."""
        if not reply.strip() and len(legal) == 1:
            return legal[0]
        return self.content(reply)


def _unwrapped(reply: str) -> str:
    if reply.startswith("("):
        items, _ = kif_items(reply, 1, "reply", MAX_ITEMS)
        is_wrapped = len(items) == 3 and str(items[0]).lower() == _PREFIX_REPLY
        return compact_spelling(str(items[2])) if is_wrapped else reply
    head = _INFIX_REPLY.match(reply)
    if head is None:
        return kif_term(BracketedText(reply, 0, len(reply)))
    pieces, _ = infix_arguments(reply, head.end(), "reply")
    return kif_term(pieces[-1]) if len(pieces) == 2 else reply


def _identifier(match: str) -> str:
    return _STRANGE.sub("_", match)
