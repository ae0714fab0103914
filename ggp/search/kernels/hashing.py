"""Hashing: the mixing function of splitmix64 (Steele, Lea and Flood, 2014), and an index of keys.

The index uses open addressing. Its owner holds `buckets`, `[2^k]` numbers or NONE, and `keys`, the
key of each number.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from gdl import kernel
from ggp.search.kernels.arrays import NONE, IntArray, Words

STEP: Final = np.uint64(0x9E3779B97F4A7C15)
"""Increment from one number of a sequence to the next."""


@kernel
def mix(number: np.uint64) -> np.uint64:
    """Return a hash in which each bit depends on all bits of `number`."""
    number = (number ^ (number >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    number = (number ^ (number >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return number ^ (number >> np.uint64(31))


def number_of(buckets: IntArray, keys: Words, key: int) -> int:
    """Return the number stored for a key, or NONE if there is none."""
    mask = len(buckets) - 1
    place = key & mask
    while (number := int(buckets[place])) != NONE and int(keys[number]) != key:
        place = (place + 1) & mask
    return number


@kernel
def bucket_of(buckets: IntArray, keys: Words, key: np.uint64) -> int:
    """Return the index in `buckets` where the number of a key is or belongs."""
    mask = np.uint64(len(buckets) - 1)
    place = key & mask
    while buckets[place] != NONE and keys[buckets[place]] != key:
        place = (place + np.uint64(1)) & mask
    return int(place)
