"""An index of hashed keys: where the number that belongs to a key stands (open addressing).

Whoever has one holds `buckets`, `[2^k]` numbers or NONE, and `keys`, the key of each number.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ggp.search.kernels.arrays import NONE
from ggp.search.kernels.game import kernel

Buckets = NDArray[np.int32]
Keys = NDArray[np.uint64]


def number_of(buckets: Buckets, keys: Keys, key: int) -> int:
    """The number of a key; NONE if it has none."""
    mask = len(buckets) - 1
    place = key & mask
    while (number := int(buckets[place])) != NONE and int(keys[number]) != key:
        place = (place + 1) & mask
    return number


@kernel
def bucket_of(buckets: Buckets, keys: Keys, key: np.uint64) -> int:
    """The place in `buckets` where the number of a key stands, or belongs."""
    mask = np.uint64(len(buckets) - 1)
    place = key & mask
    while buckets[place] != NONE and keys[buckets[place]] != key:
        place = (place + np.uint64(1)) & mask
    return int(place)
