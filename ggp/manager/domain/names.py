"""The names that people choose for accounts, players, people and tournaments.

All names follow the Nickname profile of PRECIS (RFC 8266). They consist of letters, digits, symbols
and single spaces in their usual width. Invisible characters are not allowed, and neither are
characters that change the direction of the text. Two names look alike if they differ only in case,
or in letters of other alphabets that look like Latin ones according to Unicode's list of confusable
letters (UTS 39).
"""

from __future__ import annotations

import functools
from collections.abc import Iterable
from typing import Any, Final

from confusable_homoglyphs import confusables
from precis_i18n import get_profile

from ggp.manager.errors import WrongRequestError

MAX_NAME: Final = 60
MAX_KEY: Final = 120
_FORBIDDEN: Final = frozenset("/?#")
"""Characters with a meaning in addresses. The profile turns some other characters into them."""
_SHOWN: Final = get_profile("NicknameCasePreserved")
_FOLDED: Final = get_profile("NicknameCaseMapped:CaseFold")


def shown(name: str, where: str = "name") -> str:
    """Return a name in the form in which it is stored and shown.

    >>> shown(" Ann  Lee")
    'Ann Lee'

    Raises:
        WrongRequestError: The name is too long, or has characters that names must not have.
    """
    try:
        found: str = _SHOWN.enforce(name)
    except UnicodeEncodeError as error:
        code = ord(name[error.start]) if error.start < len(name) else 0
        raise WrongRequestError(
            f"{where}: expected visible letters, digits and signs, got U+{code:04X}"
        ) from None
    if not found or len(found) > MAX_NAME or _FORBIDDEN.intersection(found):
        raise WrongRequestError(
            f"{where}: expected 1 to {MAX_NAME} characters without /, ? and #, got {found!r:.80}"
        )
    return found


@functools.lru_cache(maxsize=1 << 15)
def key_of(name: str) -> str:
    """Return a key that is the same for all names that look alike.

    >>> key_of("ANN"), key_of(chr(0x430) + "nn")
    ('ann', 'ann')
    """
    try:
        folded: str = _FOLDED.enforce(name)
    except UnicodeEncodeError:  # a name older than the profile
        folded = name.casefold()
    return "".join(map(_latin, folded))[:MAX_KEY]


def like(name: str, others: Iterable[str]) -> str:
    """Return the first of `others` that looks like `name`, or an empty string."""
    key = key_of(name)
    return next((other for other in others if key_of(other) == key), "")


@functools.lru_cache(maxsize=1 << 12)
def _latin(letter: str) -> str:
    """Return the Latin letter that looks like `letter`. If there is none, return `letter`."""
    if letter.isascii():
        return letter
    found: Any = confusables.is_confusable(letter, greedy=True, preferred_aliases=[])
    looks = [one["c"] for entry in found or () for one in entry["homoglyphs"]]
    latin = [one for one in looks if len(one) == 1 and one.isascii() and one.isalpha()]
    return min(latin).lower() if latin else letter
