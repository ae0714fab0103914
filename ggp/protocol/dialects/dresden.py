"""The dialects of the Dresden GameController: compact, and upper case except for the match's name.

They have only START, PLAY and STOP. In games of incomplete information PLAY reports percepts, in
two forms. The controller of 2011 sends them in place of the moves. According to the later page on
the GDL-II protocol, they follow the turn's number and our own move.
"""

from __future__ import annotations

from dataclasses import replace

from ggp.protocol.dialects.base import (
    Grace,
    HttpFraming,
    Invitation,
    ManagerDialect,
    TurnReport,
    happened_to,
)
from ggp.protocol.messages import Abort, Message, Play, Preview, Start, Stop, Turn
from ggp.protocol.terms import compact_spelling, listed, turn_words, word_of
from ggp.term_text import tokens

SEES_ALL = "(<= (sees ?p (did ?p2 ?m)) (role ?p) (does ?p2 ?m))"
"""Rule to add to games of complete information for players that receive percepts."""


class Dresden(ManagerDialect):
    """The GameController of 2011."""

    name = "dresden"
    framing = HttpFraming(
        (
            "POST {path} HTTP/1.0",
            "Accept: text/delim",
            "Sender: Gamecontroller",
            "Receiver: {host}",
            "Content-type: text/acl",
            "Content-length: {length}",
        ),
        heeds_length=False,
    )
    grace = Grace(start=1.0, play=1.0, stop=1.0)

    def write(self, message: Message) -> str:
        """Write a message as text."""
        match message:
            case Preview():
                rules = compact_spelling(message.rules).upper()
                return f"(PREVIEW ({rules} ) {message.previewclock})"
            case Start():
                rules = compact_spelling(message.rules).upper()
                clocks = f"{message.startclock} {message.playclock}"
                return f"(START {message.match} {message.role.upper()} ({rules} ) {clocks})"
            case Play() | Stop():
                items = (compact_spelling(item).upper() for item in message.last.items or ())
                last = listed(message.last, "({})", items)
                return f"({word_of(message)} {message.match}{turn_words(message).upper()} {last})"
            case Abort():
                return f"(ABORT {message.match})"
            case _:
                return f"({word_of(message)})"

    def abort(self, match: str, last: TurnReport) -> str:
        """Write a STOP. There is no ABORT, and otherwise the player would play on forever."""
        return self.stop(match, last)

    def move(self, reply: str, legal: tuple[str, ...]) -> str:
        """Return the legal move that the player means, ignoring case.

        Return "" if it is not one term.
        """
        if not _is_one_term(reply):
            return ""
        text = compact_spelling(reply)
        return next((move for move in legal if move.upper() == text.upper()), text)


class GdlTwo(Dresden):
    """The later GDL-II protocol.

    All games send percepts, with the turn's number and our own move.
    """

    name = "gdl-ii"

    def start(self, begun: Invitation) -> str:
        """Write a START.

        In games of complete information, add a rule that shows all moves to everyone.
        """
        if not begun.has_percepts:
            begun = replace(begun, rules=f"{begun.rules} {SEES_ALL}")
        return super().start(begun)

    def _told(self, kind: type[Play | Stop], match: str, last: TurnReport) -> str:
        seen, turn = _seen(last), Turn(last.turn, last.own_move)
        return self.write(kind(match, happened_to(seen), turn))


def _seen(last: TurnReport) -> tuple[str, ...] | None:
    if last.moves is None or last.percepts is not None:
        return last.percepts if last.moves is not None else None
    pairs = zip(last.roles, last.moves, strict=True)
    return tuple(f"(did {role} {move})" for role, move in pairs)


def _is_one_term(text: str) -> bool:
    depth, is_over = 0, False
    for word in tokens(text):
        depth += (word == "(") - (word == ")")
        if is_over or depth < 0 or word.startswith("?"):
            return False
        is_over = depth == 0
    return is_over
