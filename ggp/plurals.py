"""Numbers with their nouns, for messages and tables."""

from __future__ import annotations


def counted(count: int, word: str, plural: str = "") -> str:
    """Return a number with its noun in the singular or plural.

    >>> counted(1, "visit"), counted(2000, "visit"), counted(2, "match", "matches")
    ('1 visit', '2,000 visits', '2 matches')
    """
    return f"{count:,} {word if count == 1 else plural or f'{word}s'}"
