"""Find the bracketed parts of a text without parsing what is inside them.

A START of half a megabyte is split into its arguments in a few hundredths of a second, because one
regular expression looks only at brackets, quotes and comments.

Possessive quantifiers (`++`) keep every search linear and without backtracking.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from ggp.protocol.errors import ProtocolError

MAX_DEPTH = 10_000  # for rules; no parser can handle deeper nesting
MAX_ARGUMENTS = 50_000  # each rule of a START may be an argument; splitting this many takes 0.1 s

# Words of a message end at all blanks of Unicode, unlike those of rules (`gdl.tokens`).
_KIF_BLANK = re.compile(r"\s*+(?:;[^\r\n]*+\s*+)*+")
_KIF_WORD = re.compile(r"[^\s();]++")
_KIF_BRACKET = re.compile(r"[()]|;[^\r\n]*+")

# Unclosed comments and strings extend to the end. Otherwise a failed search would restart
# everywhere.
_COMMENT = r"%[^\r\n]*+|//[^\r\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/|\Z)"
_STRING_OR_COMMENT = rf'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|{_COMMENT}'
_INFIX_BLANK = re.compile(rf"\s*+(?:(?:{_COMMENT})\s*+)*+")
_INFIX_BRACKET = re.compile(rf"[()\[\]]|{_STRING_OR_COMMENT}", re.DOTALL)
_INFIX_MARK = re.compile(rf"[()\[\],]|{_STRING_OR_COMMENT}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class BracketedText:
    """A part of `text`, from `start` to `end`, that is a single word or enclosed in brackets."""

    text: str
    start: int
    end: int

    def __str__(self) -> str:
        return self.text[self.start : self.end]

    def __len__(self) -> int:
        return self.end - self.start

    @property
    def is_list(self) -> bool:
        """Whether the part is enclosed in brackets."""
        return self.text.startswith(("(", "["), self.start)

    @property
    def inside(self) -> BracketedText:
        """The part between the brackets."""
        return BracketedText(self.text, self.start + 1, self.end - 1)

    @property
    def position(self) -> int:
        """Position of the part in the text, counted from 1, for error messages."""
        return self.start + 1


def got_at(text: str, position: int) -> str:
    """Return the word at a position, for error messages, or "end of message"."""
    words = text[position : position + 60].split(maxsplit=1)
    return words[0] if words else "end of message"


def skip_kif_blank(text: str, position: int) -> int:
    """Return the first position, from `position` on, that is not in a blank or a comment."""
    match = _KIF_BLANK.match(text, position)
    return match.end() if match else position


def skip_infix_blank(text: str, position: int) -> int:
    """Return the first position, from `position` on, that is not in a blank or a comment."""
    match = _INFIX_BLANK.match(text, position)
    return match.end() if match else position


def kif_items(
    text: str, position: int, field: str, max_items: int
) -> tuple[list[BracketedText], int]:
    """Return the words and lists before the next unmatched `)`, and the position of that bracket.

    Raises:
        ProtocolError: A `)` is missing, or there are more than `max_items` items.
    """
    items: list[BracketedText] = []
    position = skip_kif_blank(text, position)
    while not text.startswith(")", position):
        if position == len(text):
            raise ProtocolError(field, f") to end the {field}", "end of message", position + 1)
        if len(items) == max_items:
            got = got_at(text, position)
            raise ProtocolError(field, f"at most {max_items} items", got, position + 1)
        item = _kif_item(text, position, field)
        items.append(item)
        position = skip_kif_blank(text, item.end)
    return items, position


def _kif_item(text: str, position: int, field: str) -> BracketedText:
    if text[position] == "(":
        return BracketedText(text, position, _end(_KIF_BRACKET, text, position, field))
    if text[position] == "[":  # rules in Epilog inside a message in prefix notation
        return BracketedText(text, position, _end(_INFIX_BRACKET, text, position, field))
    word = _KIF_WORD.match(text, position)
    assert word is not None, "blanks, comments and brackets are ruled out"
    return BracketedText(text, position, word.end())


def infix_arguments(text: str, position: int, field: str) -> tuple[list[BracketedText], int]:
    """Return the comma-separated texts before an unmatched bracket, and the bracket's position.

    Raises:
        ProtocolError: A bracket is missing, an argument is empty, or there are more than
            `MAX_ARGUMENTS` texts.
    """
    pieces: list[BracketedText] = []
    start, mark = position, _INFIX_MARK.search(text, position)
    while mark and mark.group() not in {")", "]"}:
        place = mark.end()
        if mark.group() == ",":
            pieces.append(_argument(text, start, mark.start(), field))
            _check_count(pieces, field)
            start = place
        elif mark.group() in {"(", "["}:
            place = _end(_INFIX_BRACKET, text, mark.start(), field)
        mark = _INFIX_MARK.search(text, place)
    if mark is None:
        raise ProtocolError(field, f") to end the {field}", "end of message", len(text) + 1)
    if pieces or skip_infix_blank(text, start) < mark.start():
        pieces.append(_argument(text, start, mark.start(), field))
    return pieces, mark.start()


def _check_count(pieces: list[BracketedText], field: str) -> None:
    if len(pieces) == MAX_ARGUMENTS:
        expected = f"at most {MAX_ARGUMENTS} items"
        raise ProtocolError(field, expected, "one more", pieces[-1].end + 1)


def _argument(text: str, start: int, end: int, field: str) -> BracketedText:
    start = min(skip_infix_blank(text, start), end)
    while end > start and text[end - 1].isspace():
        end -= 1
    if start == end:
        raise ProtocolError(field, "a term", got_at(text, start), start + 1)
    return BracketedText(text, start, end)


def _end(brackets: re.Pattern[str], text: str, position: int, field: str) -> int:
    depth = 0
    for match in brackets.finditer(text, position):
        bracket = match.group()
        if bracket in {"(", "["}:
            depth += 1
            if depth > MAX_DEPTH:
                expected = f"at most {MAX_DEPTH} nested brackets"
                raise ProtocolError(field, expected, "one more", match.start() + 1)
        elif bracket in {")", "]"}:
            depth -= 1
            if depth == 0:
                return match.end()
    missing = f"{depth} more ) to close the {text[position]} at character {position + 1}"
    raise ProtocolError(field, missing, "end of message", len(text) + 1)
