"""Numbers and lists in words."""

from __future__ import annotations

from collections.abc import Sequence


def plural(number: int, word: str) -> str:
    """A number and what it counts.

    >>> plural(1, "place"), plural(2, "place")
    ('1 place', '2 places')
    """
    return f"{number} {word}" if number == 1 else f"{number} {word}s"


def listed(texts: Sequence[str], most: int) -> str:
    """Some texts as a list in a sentence, the others as a number.

    >>> listed(["a", "b", "c"], most=3), listed(["a", "b", "c"], most=1)
    ('a, b and c', 'a and 2 more')
    """
    named = list(texts[:most])
    if len(texts) > most:
        named.append(f"{len(texts) - most} more")
    if len(named) < 2:
        return "".join(named)
    return f"{', '.join(named[:-1])} and {named[-1]}"
