r"""Find the move in an answer: the text after the last `MOVE:`, or else the last legal move.

>>> read_move("I take the corner.\n**MOVE: mark(1, 1)**", ["(mark 1 1)", "noop"]).move
'(mark 1 1)'
>>> read_move("MOVE: (mark 9 9)", ["(mark 1 1)", "noop"])
Reading(move=None, understood='(mark 9 9)')
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from ggp.naming.move_names import MoveNames, Understood
from ggp.term_text import first_term, typed_words

MAX_READ: Final = 20_000
"""Maximum number of characters of an answer to read, counted from its end."""
MAX_UNDERSTOOD: Final = 200
MAX_COMPARED: Final = 500
"""Maximum number of legal moves among which to look for the nearest ones."""
_MARK = re.compile(r"\bMOVE\b[*_`\s]*:(.*)", re.IGNORECASE)
_DRESS = "*`\"'“”$[]{}"
"""Formatting characters that models put around a move."""
_ENDS = ".;:!?"
Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Reading:
    """The content of an answer: a legal move, or else the text that should have been one."""

    move: str | None
    understood: str = ""
    """Text that was read as an illegal move or as a name. Empty if there was none."""


def read_move(
    answer: str,
    legal: Sequence[str],
    names: MoveNames | None = None,
    facts: Sequence[str] = (),
    *,
    is_numbered: bool = True,
) -> Reading:
    """Return the move that was found in a model's answer, or why there is none.

    Args:
        answer: The text that the model wrote.
        legal: The legal moves in the order of their numbers, from 1.
        names: Names that may stand for a move, if they are unambiguous.
        facts: Facts of the position that the role may know. They are used to name pieces.
        is_numbered: Whether the model knows the numbers of the moves.
    """
    reading = _read(answer, legal, is_numbered)
    said = reading.understood
    # A number that is too large is a wrong number, not part of a name.
    if reading.move is None and said and names and not (is_numbered and said.isdecimal()):
        found = names.read(said, legal, facts)
        if isinstance(found, Understood):
            return Reading(found.move, said)
    return reading


def _read(answer: str, legal: Sequence[str], is_numbered: bool) -> Reading:
    text = answer[-MAX_READ:]
    marked = [said for line in _MARK.findall(text) if (said := _undressed(line))]
    if marked:
        return _read_marked(marked[-1], legal, is_numbered)
    lines = [line for line in map(_undressed, text.splitlines()) if line]
    last = lines[-1] if lines else ""
    move = _whole(last, legal, is_numbered) or _last_named(text, legal)
    is_term = last.startswith("(") or len(last.split()) == 1
    return Reading(move, last[:MAX_UNDERSTOOD] if is_term and move is None else "")


def nearest(understood: str, legal: Sequence[str], num: int = 5) -> list[str]:
    """Return the legal moves that look most similar to a text."""
    return get_close_matches(understood[:MAX_UNDERSTOOD], legal[:MAX_COMPARED], num, cutoff=0.0)


def _read_marked(said: str, legal: Sequence[str], is_numbered: bool) -> Reading:
    term = first_term(said) if said.startswith("(") else None
    for text in (said, term or ""):
        if text and (move := _whole(text, legal, is_numbered)):
            return Reading(move)
    if term is None and (move := _last_named(said, legal)):
        return Reading(move)  # more text follows the move
    return Reading(None, (term or said)[:MAX_UNDERSTOOD])


def _whole(text: str, legal: Sequence[str], is_numbered: bool) -> str | None:
    """Return the legal move that the whole text stands for, as a number or a term.

    Case, punctuation and brackets are ignored.
    """
    term = first_term(text)
    if term is not None and _is_all(term, text):
        if term in legal:
            return term
        folded = [move for move in legal if move.casefold() == term.casefold()]
        if len(folded) == 1:
            return folded[0]
    words = _words(text)
    if found := _by_words(legal).get(words):
        return found
    if is_numbered and len(words) == 1 and re.fullmatch(r"[0-9]{1,6}", words[0]):
        number = int(words[0])
        return legal[number - 1] if 1 <= number <= len(legal) else None
    return None


def _last_named(text: str, legal: Sequence[str]) -> str | None:
    """Return the legal move that ends last in a text, or the longest if several end there."""
    known = _by_words(legal)
    words = _words(text)
    lengths = sorted({len(key) for key in known}, reverse=True)
    for end in range(len(words), 0, -1):
        for length in lengths:
            key = words[max(0, end - length) : end]
            # A single letter or a number usually means something other than a move.
            if key in known and (len(key) > 1 or (len(key[0]) > 1 and not key[0].isdigit())):
                return known[key]
    return None


def _by_words(legal: Sequence[str]) -> dict[Words, str]:
    """Return the legal moves by their words. Leave out moves that have the same words."""
    keys = Counter(map(_words, legal))
    return {key: move for move in legal if keys[key := _words(move)] == 1}


def _words(text: str) -> Words:
    found = (_undressed(word) for word in typed_words(text))
    return tuple(word.casefold() for word in found if word)


def _is_all(term: str, text: str) -> bool:
    return "".join(term.split()) == "".join(text.split())


def _undressed(text: str) -> str:
    """Strip the formatting that models put around a move, and the end of a sentence.

    >>> _undressed(" **`(mark 1 1)`**. ")
    '(mark 1 1)'
    """
    before = None
    while text != before:
        before, text = text, text.strip().strip(_DRESS).rstrip(_ENDS)
    return text
