"""Which states are known already: packed states to numbers, whole arrays at once."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ggp.search.knowledge.books.graph import IntArray, Words

Hashes = NDArray[np.uint64]

_FACTORS = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_STEP = np.uint64(0x9E3779B97F4A7C15)


class HashCollisionError(ArithmeticError):
    """Two different states have one hash: another salt is needed."""


def hashes_of(states: Words, salt: int) -> Hashes:
    """`[n]` a hash of each state (the finaliser of SplitMix64, word by word)."""
    found: Hashes = np.full(len(states), salt, np.uint64)
    with np.errstate(over="ignore"):
        for word in range(states.shape[1]):
            found = (found ^ states[:, word]) + _STEP
            found = (found ^ (found >> np.uint64(30))) * _FACTORS[0]
            found = (found ^ (found >> np.uint64(27))) * _FACTORS[1]
            found = found ^ (found >> np.uint64(31))
    return found


class Known:
    """The numbers of the states seen so far, by their hashes."""

    def __init__(self, salt: int) -> None:
        self._salt = salt
        self._hashes: Hashes = np.empty(0, np.uint64)  # ascending
        self._numbers: IntArray = np.empty(0, np.int32)

    def number(self, states: Words, all_states: Words, num: int) -> tuple[IntArray, IntArray]:
        """The numbers of some states; new ones are numbered from `num` on.

        Args:
            states: `[n, W]`; equal ones may be among them.
            all_states: `[at least num, W]` the states known so far.
            num: How many there are.

        Returns:
            `[n]` the numbers; and of each new state, in order, a row where it stands.

        Raises:
            HashCollisionError: Two states cannot be told apart.
        """
        unique, rows, inverse = np.unique(
            hashes_of(states, self._salt), return_index=True, return_inverse=True
        )
        if not np.array_equal(states[rows][inverse], states):
            raise HashCollisionError
        places = np.searchsorted(self._hashes, unique)
        is_known = np.zeros(len(unique), np.bool_)
        inside = places < len(self._hashes)
        is_known[inside] = self._hashes[places[inside]] == unique[inside]
        numbers = np.empty(len(unique), np.int32)
        numbers[is_known] = self._numbers[places[is_known]]
        if not np.array_equal(all_states[numbers[is_known]], states[rows[is_known]]):
            raise HashCollisionError
        is_new = ~is_known
        numbers[is_new] = np.arange(num, num + int(is_new.sum()), dtype=np.int32)
        self._hashes = np.insert(self._hashes, places[is_new], unique[is_new])
        self._numbers = np.insert(self._numbers, places[is_new], numbers[is_new])
        return numbers[inverse.reshape(-1)], rows[is_new].astype(np.int32)
