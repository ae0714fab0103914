"""Texts of messages to messages and back; the grammar of every dialect stands here.

>>> decode("play(m1,mark(1,1))").last.single_move()
'(mark 1 1)'
>>> decode("(STOP m1 ())").last.joint_move() is None
True
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ggp.protocol.brackets import (
    BracketedText,
    got_at,
    infix_arguments,
    kif_items,
    skip_infix_blank,
    skip_kif_blank,
)
from ggp.protocol.errors import ProtocolError
from ggp.protocol.limits import DEFAULT_LIMITS, MessageLimits
from ggp.protocol.messages import (
    NOTHING,
    Abort,
    Happened,
    Info,
    Message,
    Notation,
    Ping,
    Play,
    Preview,
    Start,
    Stop,
    Turn,
    Unknown,
)
from ggp.protocol.rules import joined_rules, rules_notation, rules_text
from ggp.protocol.terms import happened

_INFIX_HEAD = re.compile(r"([A-Za-z_]\w*+)\s*+\(")
_QUOTED_WORD = re.compile(r'"[^\s()\[\],"\\]++"')
_WHOLE = re.compile(r"\+?[0-9]{1,12}+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Envelope:
    """A message cut into its word and arguments.

    Attributes:
        end: The place of the closing parenthesis, where a missing argument would stand.
    """

    text: str
    word: str
    arguments: list[BracketedText]
    end: int
    notation: Notation
    limits: MessageLimits

    def at_most(self, count: int) -> None:
        """Check that no argument follows the first `count`."""
        if len(self.arguments) > count:
            extra = self.arguments[count]
            expected = f") after the {count} arguments of {self.word}"
            raise ProtocolError("message", expected, str(extra), extra.position)

    def piece(self, index: int, field: str, expected: str) -> BracketedText:
        """An argument, whatever it is."""
        if index >= len(self.arguments):
            raise ProtocolError(field, expected, got_at(self.text, self.end), self.end + 1)
        return self.arguments[index]

    def name(self, index: int, field: str) -> str:
        """An argument that is one word: the name of a match or of a role."""
        expected = f"a {field} (one word)"
        piece = self.piece(index, field, expected)
        word = str(piece)
        if self.notation is Notation.INFIX and _QUOTED_WORD.fullmatch(word):
            word = word[1:-1]  # a string stands for the symbol of its characters
        if re.search(r'[\s()\[\],"]', word):
            raise ProtocolError(field, expected, word, piece.position)
        if len(word) > self.limits.num_word_characters:
            longest = f"a {field} of at most {self.limits.num_word_characters} characters"
            raise ProtocolError(field, longest, word, piece.position)
        return word

    def clock(self, index: int, field: str, longest: int) -> int:
        """An argument that is a time in whole seconds."""
        expected = f"a {field} in whole seconds, at most {longest}"
        piece = self.piece(index, field, expected)
        if not _WHOLE.fullmatch(str(piece)) or int(str(piece)) > longest:
            raise ProtocolError(field, expected, str(piece), piece.position)
        return int(str(piece))

    def moves(self, index: int) -> Happened:
        """An argument that tells what was done in the last turn."""
        expected = f"the moves of the last turn, or NIL, as argument {index + 1} of {self.word}"
        return happened(self.piece(index, "moves", expected), self.notation, self.limits)


def decode(text: str, limits: MessageLimits = DEFAULT_LIMITS) -> Message:
    """The message that a text is, in whatever dialect.

    What follows the message's closing parenthesis is ignored, as GGP-Base does.

    Raises:
        ProtocolError: The text is no message, or asks for more than the limits allow.
    """
    if len(text) > limits.num_characters:
        expected = f"a message of at most {limits.num_characters} characters"
        raise ProtocolError("message", expected, f"{len(text)}", 1)
    envelope = _envelope(text, limits)
    read = _GRAMMAR.get(envelope.word.lower())
    if read is not None:
        return read(envelope)
    if envelope.notation is Notation.INFIX:
        return Unknown(envelope.word)
    known = ", ".join(word.upper() for word in _GRAMMAR)
    at = skip_kif_blank(text, skip_kif_blank(text, 0) + 1) + 1
    raise ProtocolError("message", f"one of {known}", envelope.word, at)


def _envelope(text: str, limits: MessageLimits) -> Envelope:
    start = skip_kif_blank(text, 0)
    if text.startswith("(", start):
        items, end = kif_items(text, start + 1, "message", limits.num_arguments)
        if not items or items[0].is_list:
            at = items[0].start if items else end
            raise ProtocolError("message", "a word such as INFO", got_at(text, at), at + 1)
        return Envelope(text, str(items[0]), items[1:], end, Notation.PREFIX, limits)
    head = _INFIX_HEAD.match(text, skip_infix_blank(text, 0))
    if head is None:
        expected = "a message such as (INFO) or ping(id)"
        raise ProtocolError("message", expected, got_at(text, start), start + 1)
    pieces, end = infix_arguments(text, head.end(), "message")
    return Envelope(text, head.group(1), pieces, end, Notation.INFIX, limits)


def _identifier(envelope: Envelope) -> str | None:
    envelope.at_most(1)
    return envelope.name(0, "identifier") if envelope.arguments else None


def _info(envelope: Envelope) -> Message:
    if envelope.notation is Notation.PREFIX:
        envelope.at_most(0)
    return Info(envelope.notation, _identifier(envelope))


def _ping(envelope: Envelope) -> Message:
    return Ping(envelope.notation, _identifier(envelope))


def _preview(envelope: Envelope) -> Message:
    rules = rules_text(envelope.piece(0, "rules", "the rules in parentheses"), envelope.notation)
    return Preview(rules, envelope.clock(1, "previewclock", envelope.limits.startclock))


def _start(envelope: Envelope) -> Message:
    match, role = envelope.name(0, "match"), envelope.name(1, "role")
    first = envelope.piece(2, "rules", "the rules in parentheses")
    clocks = 3
    if envelope.notation is Notation.INFIX:
        clocks = max(3, len(envelope.arguments) - 2)
        rules = joined_rules(envelope.arguments[2:clocks])
    else:
        if not first.is_list:
            raise ProtocolError("rules", "( to begin the rules", str(first), first.position)
        rules = rules_text(first, envelope.notation)
    return Start(
        match=match,
        role=role,
        rules=rules,
        startclock=envelope.clock(clocks, "startclock", envelope.limits.startclock),
        playclock=envelope.clock(clocks + 1, "playclock", envelope.limits.playclock),
        notation=envelope.notation,
        rules_notation=rules_notation(rules),
    )


def _last_turn(envelope: Envelope) -> tuple[str, Happened, Turn | None]:
    match = envelope.name(0, "match")
    if len(envelope.arguments) == 1 and envelope.notation is Notation.INFIX:
        return match, NOTHING, None
    if len(envelope.arguments) <= 2:
        return match, envelope.moves(1), None
    number = envelope.clock(1, "turn", 10**9)
    own, percepts = envelope.moves(2), envelope.moves(3)
    envelope.at_most(4)
    return match, percepts, Turn(number, own.single_move())


def _play(envelope: Envelope) -> Message:
    match, last, turn = _last_turn(envelope)
    return Play(match, last, turn, envelope.notation)


def _stop(envelope: Envelope) -> Message:
    match, last, turn = _last_turn(envelope)
    return Stop(match, last, turn, envelope.notation)


def _abort(envelope: Envelope) -> Message:
    envelope.at_most(1)
    return Abort(envelope.name(0, "match"), envelope.notation)


_GRAMMAR: dict[str, Callable[[Envelope], Message]] = {
    "info": _info,
    "ping": _ping,
    "preview": _preview,
    "start": _start,
    "play": _play,
    "stop": _stop,
    "abort": _abort,
}
