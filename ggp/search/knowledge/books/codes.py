"""States as keys that do not depend on who plays the game: a bit for each fact that matters."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.search.knowledge.books.graph import WORD_BITS, Words

Keys = NDArray[np.bytes_]
"""`[N]` of 8 bytes per word, the last zero bytes of which count for nothing in comparisons."""


class StateCode:
    """Which bit stands for which fact.

    Attributes:
        facts: The facts, as KIF; number b is bit `b % 64` of word `b // 64`.
        ignores_others: Whether facts that have no bit make no difference. Else a state in which one
            is true has no key.
        num_words: W.
    """

    def __init__(self, facts: Sequence[str], *, ignores_others: bool) -> None:
        self.facts = tuple(facts)
        self.ignores_others = ignores_others
        self.num_words = max(1, -(-len(self.facts) // WORD_BITS))
        self._bits = {fact: 1 << number for number, fact in enumerate(self.facts)}
        self._of_term: dict[gdl.Term, int] = {}  # terms are the same object if they are equal

    def key(self, facts: Iterable[gdl.Term]) -> bytes | None:
        """The key of the state in which these facts are true; None if it can have none."""
        bits = 0
        for fact in facts:
            bit = self._of_term.get(fact)
            if bit is None:
                bit = self._of_term[fact] = self._bits.get(str(fact), 0)
            if not bit and not self.ignores_others:
                return None
            bits |= bit
        return bits.to_bytes(8 * self.num_words, "little")


def keys_of(states: Words) -> Keys:
    """The keys of packed states."""
    # A copy in this machine's order of bytes would be another file on another machine.
    ordered = np.ascontiguousarray(states, "<u8")
    return ordered.view(f"S{8 * states.shape[1]}").reshape(-1)


def place_of(keys: Keys, key: bytes) -> int | None:
    """Index of a key among sorted ones; None if it is not among them."""
    place = int(np.searchsorted(keys, np.bytes_(key)))
    # Numpy gives texts without the zero bytes at their end.
    is_there = place < len(keys) and keys[place] == key.rstrip(b"\0")
    return place if is_there else None
