"""Detection of scrambled rulesheets, whose names are not their author's words."""

from __future__ import annotations

from gdl.rulesheet import KEYWORDS, Rulesheet
from gdl.syntax import Word, words

_SHORT = 2
"""Length of names that no scrambler makes: `?x`, `b`."""
_WORDS = (
    "adjacent agent black blank block blue board card cell checker choice clock color colour "
    "column connected control coordinate count counter current direction done down draw east "
    "empty finished game green grid height index left level line location lose loser lost mark "
    "marked move noop north number object occupied open opponent other over owner pass pawn "
    "phase piece place player plus position queen red result right role rook round row rows "
    "score side size south square start state stay step stone succ successor take tile time "
    "token turn value wait wall west white width win winner won"
)
_COMMON = frozenset(_WORDS.split())


def is_scrambled(rulesheet: Rulesheet) -> bool:
    """Return whether no name is short or a word that many rulesheets use.

    Such names were drawn at random, so their likeness means nothing.
    """
    return not any(_is_familiar(word) for form in rulesheet.forms for word in words(form))


def _is_familiar(word: Word) -> bool:
    name = word.text.lower().removeprefix("?")
    if not word.is_variable and name in KEYWORDS:
        return False
    return (len(name) <= _SHORT and name.isalpha()) or name in _COMMON
