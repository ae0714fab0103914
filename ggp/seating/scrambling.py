"""Scrambling: rules and moves with every word replaced, so that names say nothing to a player.

>>> scrambler = Scrambler("(role robot) (<= (legal robot (go ?x)) (true (at 3 ?x)))", seed=1)
>>> scrambled = scrambler.scramble("(go 3)")
>>> scrambled == "(go 3)", scrambler.unscramble(scrambled.upper())
(False, '(go 3)')

As GGP-Base does (`MappingGdlScrambler`): keywords and numbers stay, variables are renamed too, and
an answer may be in any case.
"""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator
from typing import Final

KEPT: Final = frozenset(
    {
        "init",
        "true",
        "next",
        "role",
        "does",
        "goal",
        "legal",
        "terminal",
        "base",
        "input",
        "random",
        "sees",
        "_",
        "not",
        "or",
        "distinct",
        "<=",
    }
)
_WORD = re.compile(r"[^\s()]+")
_NUMBER = re.compile(r"[+-]?[0-9]+")


class Scrambler:
    """New names for all words of a rulesheet; the same seed gives the same names."""

    def __init__(self, rules: str, seed: int) -> None:
        words = dict.fromkeys(_WORD.findall(rules))
        own = [word for word in words if word.lower() not in KEPT and not _NUMBER.fullmatch(word)]
        luck = random.Random(f"scrambling:{seed}")
        luck.shuffle(own)
        names = (name for name in _names(luck) if name not in words and name not in KEPT)
        self._new = {
            word: f"?{name}" if word.startswith("?") else name
            for word, name in zip(own, names, strict=False)
        }
        self._old = {new: old for old, new in self._new.items()}

    def scramble(self, text: str) -> str:
        """The text with our names replaced."""
        return _WORD.sub(lambda found: self._new.get(found[0], found[0]), text)

    def unscramble(self, text: str) -> str:
        """A player's answer in our names; words that are none stay as they are."""
        return _WORD.sub(lambda found: self._old.get(found[0].lower(), found[0]), text)


def _names(luck: random.Random) -> Iterator[str]:
    """Words that can be said, each once: short ones first."""
    syllables = [one + other for one in "bdfgklmnprstvz" for other in "aeiou"]
    for length in itertools.count(2):
        some = ["".join(parts) for parts in itertools.product(syllables, repeat=length)]
        luck.shuffle(some)
        yield from some
