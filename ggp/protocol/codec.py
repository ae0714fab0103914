"""Parse messages of every dialect, and write messages and replies.

`encode` writes a message with the help of `ggp.protocol.dialects`.

>>> decode("play(m1,mark(1,1))").last.single_move()
'(mark 1 1)'
>>> decode("(STOP m1 ())").last.joint_move() is None
True
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from ggp.protocol.brackets import (
    MAX_ARGUMENTS,
    BracketedText,
    got_at,
    infix_arguments,
    kif_items,
    skip_infix_blank,
    skip_kif_blank,
)
from ggp.protocol.dialects.base import GgpBase, ManagerDialect
from ggp.protocol.dialects.dresden import Dresden
from ggp.protocol.dialects.gamemaster import Gamemaster
from ggp.protocol.errors import ProtocolError
from ggp.protocol.messages import (
    DEFAULT_LIMITS,
    Abort,
    Dialect,
    Happened,
    Info,
    Message,
    MessageLimits,
    Notation,
    Ping,
    Play,
    Preview,
    Start,
    Stop,
    Turn,
    Unknown,
)
from ggp.protocol.rules import is_statement, joined_rules, rules_notation, rules_text
from ggp.protocol.terms import happened, infix_spelling

_INFIX_HEAD = re.compile(r"([A-Za-z_]\w*+)\s*+\(")
_QUOTED_WORD = re.compile(r'"[^\s()\[\],"\\]++"')
_WITH_RULES = re.compile(r"(?:start|preview)(?=[\s();])", re.IGNORECASE)
_WHOLE = re.compile(r"\+?[0-9]{1,12}+", re.ASCII)


@dataclass(frozen=True, slots=True)
class Envelope:
    """A message split into its command word and its arguments.

    Attributes:
        end: Position of the closing parenthesis. The error for a missing argument reports it.
    """

    text: str
    word: str
    arguments: list[BracketedText]
    end: int
    notation: Notation
    limits: MessageLimits

    def at_most(self, count: int) -> None:
        """Check that there are at most `count` arguments."""
        if len(self.arguments) > count:
            extra = self.arguments[count]
            expected = f") after the {count} arguments of {self.word}"
            raise ProtocolError("message", expected, str(extra), extra.position)

    def piece(self, index: int, field: str, expected: str) -> BracketedText:
        """Return an argument without checking its form."""
        if index >= len(self.arguments):
            raise ProtocolError(field, expected, got_at(self.text, self.end), self.end + 1)
        return self.arguments[index]

    def name(self, index: int, field: str) -> str:
        """Return an argument that is a single word: the name of a match or role."""
        expected = f"a {field} (one word)"
        piece = self.piece(index, field, expected)
        word = str(piece)
        if self.notation is Notation.INFIX and _QUOTED_WORD.fullmatch(word):
            word = word[1:-1]  # a string stands for the symbol with its characters
        if re.search(r'[\s()\[\],"]', word):
            raise ProtocolError(field, expected, word, piece.position)
        if len(word) > self.limits.num_word_characters:
            longest = f"a {field} of at most {self.limits.num_word_characters} characters"
            raise ProtocolError(field, longest, word, piece.position)
        return word

    def clock(self, index: int, field: str, longest: int) -> int:
        """Return an argument that is a time in whole seconds."""
        return self.number(index, field, f"a {field} in whole seconds, at most {longest}", longest)

    def number(self, index: int, field: str, expected: str, most: int) -> int:
        """Return an argument that is an integer from 0 to `most`."""
        piece = self.piece(index, field, expected)
        if not _WHOLE.fullmatch(str(piece)) or int(str(piece)) > most:
            raise ProtocolError(field, expected, str(piece), piece.position)
        return int(str(piece))

    def moves(self, index: int) -> Happened:
        """Parse the argument that reports the last turn."""
        expected = f"the moves of the last turn, or NIL, as argument {index + 1} of {self.word}"
        return happened(self.piece(index, "moves", expected), self.notation, self.limits)


def decode(text: str, limits: MessageLimits = DEFAULT_LIMITS) -> Message:
    """Parse a text in any dialect into a message.

    Like GGP-Base, ignore what follows the message's closing parenthesis.

    Raises:
        ProtocolError: The text is not a message or exceeds the limits.
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
        has_rules = _WITH_RULES.match(text, skip_kif_blank(text, start + 1)) is not None
        most = MAX_ARGUMENTS if has_rules else limits.num_arguments
        items, end = kif_items(text, start + 1, "message", most)
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
    rules, clock = _rules(envelope, 0)
    return Preview(rules, envelope.clock(clock, "previewclock", envelope.limits.startclock))


def _rules(envelope: Envelope, index: int) -> tuple[str, int]:
    """Return the rules that begin at the argument `index`, and the index of the next argument.

    Either all rules are one argument, or each statement is a separate argument, as in the
    specification's example.
    """
    first = envelope.piece(index, "rules", "the rules in parentheses")
    others = itertools.takewhile(lambda one: one.is_list, envelope.arguments[index:])
    statements = list(others) if envelope.notation is Notation.PREFIX else []
    if not statements or not is_statement(first, is_alone=len(statements) == 1):
        return rules_text(first, envelope.notation), index + 1
    return envelope.text[first.start : statements[-1].end], index + len(statements)


def _start(envelope: Envelope) -> Message:
    match, role = envelope.name(0, "match"), envelope.name(1, "role")
    first = envelope.piece(2, "rules", "the rules in parentheses")
    if envelope.notation is Notation.INFIX:
        clocks = max(3, len(envelope.arguments) - 2)
        rules = joined_rules(envelope.arguments[2:clocks])
    else:
        if not first.is_list:
            raise ProtocolError("rules", "( to begin the rules", str(first), first.position)
        rules, clocks = _rules(envelope, 2)
    return Start(
        match=match,
        role=role,
        rules=rules,
        startclock=envelope.clock(clocks, "startclock", envelope.limits.startclock),
        playclock=envelope.clock(clocks + 1, "playclock", envelope.limits.playclock),
        notation=envelope.notation,
        rules_notation=rules_notation(rules),
    )


def _play_or_stop(kind: type[Play | Stop], envelope: Envelope) -> Message:
    match, notation = envelope.name(0, "match"), envelope.notation
    if len(envelope.arguments) == 1 and notation is Notation.INFIX:
        return kind(match, notation=notation)
    if len(envelope.arguments) <= 2:
        return kind(match, envelope.moves(1), notation=notation)
    expected = "the number of a turn, as more than a match and its moves follow (GDL-II)"
    number = envelope.number(1, "turn", expected, 10**9)
    own, percepts = envelope.moves(2), envelope.moves(3)
    envelope.at_most(4)
    return kind(match, percepts, Turn(number, own.single_move()), notation)


def _abort(envelope: Envelope) -> Message:
    envelope.at_most(1)
    return Abort(envelope.name(0, "match"), envelope.notation)


_GRAMMAR: dict[str, Callable[[Envelope], Message]] = {
    "info": _info,
    "ping": _ping,
    "preview": _preview,
    "start": _start,
    "play": partial(_play_or_stop, Play),
    "stop": partial(_play_or_stop, Stop),
    "abort": _abort,
}


_PREFIX = re.compile(
    r"\s*+\(\s*+start\s++([^\s();]++)\s++([^\s();\[]++)\s*+(\((?:\s*+[();]|\s*+<=|\s*+\w++\s++[^:\s])|.)",
    re.IGNORECASE,
)
_INFIX = re.compile(r'\s*+start\s*+\(\s*+([^\s()\[\],"]++)\s*+,', re.IGNORECASE)


def start_header(text: str) -> Start | None:
    """Parse the beginning of a START, without rules and clocks. Return None if that fails.

    This is enough to refuse a START without parsing half a megabyte.
    >>> start_header("( START m.1 xplayer ( ( role xplayer ) ... ")
    Start(match='m.1', role='xplayer', rules='', startclock=0, playclock=0, ...)
    """
    if (found := _PREFIX.match(text)) is not None:
        is_kif = len(found[3]) > 1
        rules = Notation.PREFIX if is_kif else Notation.INFIX
        return Start(found[1], found[2], "", 0, 0, Notation.PREFIX, rules)
    if (found := _INFIX.match(text)) is not None:
        return Start(found[1], "", "", 0, 0, Notation.INFIX, Notation.INFIX)
    return None


def encode(message: Message, dialect: Dialect = Dialect.GGP_BASE) -> str:
    """Write a message exactly as the managers of a dialect do, including blanks.

    The rules must be in the dialect's notation. A message that does not exist in the dialect is
    written in the same style.
    """
    return _MANAGERS[dialect].write(message)


def reply(content: str, notation: Notation, identifier: str | None = None) -> str:
    """Write a reply in a notation. `content` is a KIF term. Add the identifier if there is one."""
    if notation is Notation.PREFIX:
        return content if identifier is None else f"(reply {identifier} {content})"
    content = infix_spelling(content)
    return content if identifier is None else f"reply({identifier},{content})"


def info_reply(info: Info, pairs: Sequence[tuple[str, str]]) -> str:
    """Write the reply to INFO: facts about a player, as pairs of words."""
    if info.notation is Notation.PREFIX:
        return f"({' '.join(f'({key} {value})' for key, value in pairs)})"
    text = f"[{','.join(f'[{key},{value}]' for key, value in pairs)}]"
    return text if info.identifier is None else f"reply({info.identifier},{text})"


_MANAGERS: dict[Dialect, ManagerDialect] = {
    Dialect.GGP_BASE: GgpBase(),
    Dialect.DRESDEN: Dresden(),
    Dialect.GAMEMASTER: Gamemaster(),
}
