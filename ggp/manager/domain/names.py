"""Names that people choose, of accounts, players, people and tournaments: one profile for all.

What is written is the Nickname profile of PRECIS (RFC 8266): letters, digits, signs and single
blanks in their usual width, nothing that cannot be seen or that turns the direction of reading. Two
names are taken for one if they are the same but for capitals, or for letters of another alphabet
that look like Latin ones, by Unicode's list of confusable letters (UTS 39).
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
"""They mean something in an address, and some come of letters that do not look like them."""
_SHOWN: Final = get_profile("NicknameCasePreserved")
_FOLDED: Final = get_profile("NicknameCaseMapped:CaseFold")


def shown(name: str, where: str = "name") -> str:
    """A name as it is to be written.

    >>> shown(" Ann  Lee")
    'Ann Lee'

    Raises:
        WrongRequestError: There is something in it that no name may have.
    """
    try:
        found: str = _SHOWN.enforce(name)
    except UnicodeEncodeError as error:
        code = ord(name[error.start]) if error.start < len(name) else 0
        raise WrongRequestError(
            f"{where}: expected letters, digits and signs that can be seen, got U+{code:04X}"
        ) from None
    if not found or len(found) > MAX_NAME or _FORBIDDEN.intersection(found):
        raise WrongRequestError(
            f"{where}: expected 1 to {MAX_NAME} characters without /, ? and #, got {found!r:.80}"
        )
    return found


@functools.lru_cache(maxsize=1 << 15)
def key_of(name: str) -> str:
    """The same for all names that people take for one.

    >>> key_of("ANN"), key_of(chr(0x430) + "nn")
    ('ann', 'ann')
    """
    try:
        folded: str = _FOLDED.enforce(name)
    except UnicodeEncodeError:  # of before there was a profile
        folded = name.casefold()
    return "".join(map(_latin, folded))[:MAX_KEY]


def like(name: str, others: Iterable[str]) -> str:
    """The first of some names that people take for this one; empty if there is none."""
    key = key_of(name)
    return next((other for other in others if key_of(other) == key), "")


@functools.lru_cache(maxsize=1 << 12)
def _latin(letter: str) -> str:
    """The Latin letter that one looks like; itself if there is none."""
    if letter.isascii():
        return letter
    found: Any = confusables.is_confusable(letter, greedy=True, preferred_aliases=[])
    looks = [one["c"] for entry in found or () for one in entry["homoglyphs"]]
    latin = [one for one in looks if len(one) == 1 and one.isascii() and one.isalpha()]
    return min(latin).lower() if latin else letter
