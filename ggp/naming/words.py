"""Words of names and terms: how to write a symbol readably, and which words count in parsing.

>>> said("doWhat_now")
'do what now'
>>> tokens("Mark (b3) at Row 2!")
('mark', 'b', '3', '2')
>>> key("Mark (b3), please!")
('mark', 'b3', 'please')
>>> key("(mark 1 1).")
('mark', '1', '1')
"""

from __future__ import annotations

import re
from typing import Final

FILLERS: Final = frozenset(
    {"from", "to", "at", "in", "on", "into", "onto", "the", "of", "and", "then", "with", "by"}
    | {"column", "row"}
)
"""Function words and words such as `column`, which are ignored in parsing."""
MAX_READ: Final = 2_000
"""Maximum number of characters of a text to parse."""

_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])")
_JOINT = re.compile(r"(?<=[^\W_])[_-]+(?=[^\W_])")
_WORD = re.compile(r"[^\s(),;:!?\"'`*“”\[\]{}]+")
_STOPS = ".…。"  # ends of sentences; a dot inside a word such as `1.5` is kept
_SQUARE = re.compile(r"([a-z])(\d{1,2})")


def said(symbol: str) -> str:
    """Write a symbol as words, and a compound term without its parentheses."""
    flat = symbol.replace("(", " ").replace(")", " ")
    return " ".join(_JOINT.sub(" ", _CAMEL.sub(" ", flat)).lower().split()) or symbol


def key(text: str) -> tuple[str, ...]:
    """Return all words of a text in lower case, without brackets and punctuation."""
    split = _JOINT.sub(" ", _CAMEL.sub(" ", text[:MAX_READ])).casefold()
    return tuple(word for found in _WORD.findall(split) if (word := found.rstrip(_STOPS)))


def tokens(text: str) -> tuple[str, ...]:
    """Return the words that count in parsing.

    Drop fillers, and split squares such as `b3` in two.
    """
    found: list[str] = []
    for word in key(text):
        square = _SQUARE.fullmatch(word)
        found += square.groups() if square else () if word in FILLERS else (word,)
    return tuple(found)


def gloss(move: str, name: str) -> str:
    """Return a move's name, or "" if the name says no more than the words of the term.

    >>> gloss("(drop 4)", "drop in column 4"), gloss("(guess 1)", "guess 1")
    ('drop in column 4', '')
    """
    return "" if key(name) == key(move) else name


def with_name(shown: str, term: str, name: str) -> str:
    """Return `shown`, followed by the name of the term if that name says more.

    >>> with_name("4 drop 4", "(drop 4)", "drop in column 4")
    '4 drop 4: drop in column 4'
    """
    return ": ".join(filter(None, (shown, gloss(term, name))))
