"""Similarity of names: finds the name that a misspelt one stands for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from difflib import get_close_matches

_LIKENESS = 0.7  # least similarity of a misspelling: 'more' is not a slip for 'or'
_SHORTEST = 3  # shortest names to compare: 'x1' is not a slip for 'x2'
_LONG = 6  # shortest names in which two letters may be wrong
_DENYING = re.compile(r"[!~¬-]+|(?:is[-_]?)?(?:un|not|non|no|in)[-_]?", re.IGNORECASE)


def nearest(name: str, *known: Iterable[str]) -> str:
    """Return the known name that an unknown one probably stands for, or "" if there is none.

    Earlier groups of names take precedence over later ones.
    """
    for group in known:
        names = sorted({other for other in group if other != name and len(other) >= _SHORTEST})
        names = [other for other in names if not is_opposite(name, other)]
        alike = get_close_matches(name, names, n=1, cutoff=_LIKENESS)
        alike = alike or [other for other in names if num_wrong(name, other) == 1]
        if alike:
            return alike[0]
    return ""


def is_opposite(name: str, other: str) -> bool:
    """Return whether two names are similar, except that one of them is negated.

    For example `unfinished` and `finish`, or `!open` and `open`.
    """
    return _is_denied(name, other) or _is_denied(other, name)


def _is_denied(name: str, other: str) -> bool:
    bare = undenied(name)
    if not bare or bare.lower() == other.lower():
        return bool(bare)
    return len(bare) >= _SHORTEST and _distance(bare.lower(), other.lower()) < _distance(
        name.lower(), other.lower()
    )


def undenied(name: str) -> str:
    """Return the name without a negating prefix, `open` for `!open`, or "" if it has none."""
    found = _DENYING.match(name)
    return name[found.end() :] if found else ""


def num_wrong(written: str, meant: str) -> int:
    """Return the number of wrong letters if `written` may be a misspelling of `meant`, else 0.

    Return 0 also if the names differ only in a digit or in the first letter, or if one negates the
    other.
    """
    most = 2 if min(len(written), len(meant)) >= _LONG else 1
    if min(len(written), len(meant)) < _SHORTEST or abs(len(written) - len(meant)) > most:
        return 0
    digits, others = ([x for x in name if x.isdigit()] for name in (written, meant))
    if digits != others or written.isdigit() or meant.isdigit() or written[1:] == meant[1:]:
        return 0
    num = _distance(written.lower(), meant.lower())
    return num if num <= most and not is_opposite(written, meant) else 0


def is_near(written: str, meant: str) -> bool:
    """Return whether `written` may be a misspelling of `meant` by one letter.

    Unlike `num_wrong`, accept names of any length if one letter is missing or superfluous, as in
    `yy` for `y`.
    """
    if num_wrong(written, meant) == 1:
        return True
    has_digit = any(map(str.isdigit, written + meant))
    is_longer = len(written) != len(meant)
    is_one = _distance(written.lower(), meant.lower()) == 1
    return is_longer and not has_digit and is_one and not is_opposite(written, meant)


def _distance(left: str, right: str) -> int:
    """Return the number of letters to change, insert, delete or swap with the next one.

    See Damerau, "A technique for computer detection and correction of spelling errors", 1964.
    """
    before: list[int] = []
    last = list(range(len(right) + 1))
    for i, letter in enumerate(left, 1):
        row = [i]
        for j, other in enumerate(right, 1):
            best = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (letter != other))
            is_exchanged = i > 1 and j > 1 and letter == right[j - 2] and left[i - 2] == other
            row.append(min(best, before[j - 2] + 1) if is_exchanged else best)
        before, last = last, row
    return last[-1]
