"""GGP-Base's dialect: blanks around each parenthesis, and the rules' own words, case and all."""

from __future__ import annotations

from ggp.protocol import http_framing
from ggp.protocol.dialects.manner import Manner
from ggp.protocol.messages import Abort, Message, Play, Preview, Start, Stop
from ggp.protocol.spelling import ggp_base_spelling, listed, turn_words, word_of


def write(message: Message) -> str:
    """A message as GGP-Base's game server writes it."""
    match message:
        case Preview():
            rules = ggp_base_spelling(message.rules)
            return f"( PREVIEW ({rules} ) {message.previewclock} )"
        case Start():
            rules = ggp_base_spelling(message.rules)
            clocks = f"{message.startclock} {message.playclock}"
            return f"( START {message.match} {message.role} ({rules} ) {clocks})"
        case Play() | Stop():
            last = listed(message.last, "({} )", map(ggp_base_spelling, message.last.items or ()))
            return f"( {word_of(message)} {message.match}{turn_words(message)} {last} )"
        case Abort():
            return f"( ABORT {message.match} )"
        case _:
            return f"( {word_of(message)} )"


class GgpBase(Manner):
    """Stanford's game server of 2010 to 2016; for percepts it has no form, so Dresden's is used."""

    name = "ggp-base"
    framing = http_framing.GGP_BASE
    info = "( INFO )"

    def write(self, message: Message) -> str:
        """A message's text."""
        return write(message)
