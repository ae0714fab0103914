"""What is learned in information sets, in arrays of a fixed size: regrets and what was played.

An information set is found by its key, the hash of its role's own moves and percepts so far
(`ggp.belief.information`). Roles begin with different keys, so one table serves all of them.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.search.hidden.game_kernels import kernel
from ggp.search.hidden.key_index import NONE

IntArray = NDArray[np.int32]
LongArray = NDArray[np.int64]
FloatArray = NDArray[np.float64]
Words = NDArray[np.uint64]

SETS, SLOTS = range(2)  # of `used`
BYTES_PER_SET = 24
BYTES_PER_SLOT = 28
SLOTS_PER_SET = 8  # so many there is room for


class Table(NamedTuple):
    """`N` information sets and `L` slots, moves in them, that there is room for."""

    buckets: IntArray  # a power of two: sets by their key, or NONE
    keys: Words  # [N]
    firsts: IntArray  # [N] first slot
    sizes: IntArray  # [N] slots
    moves: IntArray  # [L] input
    regrets: FloatArray  # [L]
    shares: FloatArray  # [L] how often the move is made now
    sums: FloatArray  # [L] how often it was made
    used: LongArray  # [2] sets and slots


def make_table(num_bytes: int) -> Table:
    """An empty table of about so many bytes."""
    num_sets = max(64, num_bytes // (BYTES_PER_SET + SLOTS_PER_SET * BYTES_PER_SLOT))
    num_slots = SLOTS_PER_SET * num_sets
    return Table(
        buckets=np.full(1 << (2 * num_sets - 1).bit_length(), NONE, np.int32),
        keys=np.zeros(num_sets, np.uint64),
        firsts=np.zeros(num_sets, np.int32),
        sizes=np.zeros(num_sets, np.int32),
        moves=np.zeros(num_slots, np.int32),
        regrets=np.zeros(num_slots, np.float64),
        shares=np.zeros(num_slots, np.float64),
        sums=np.zeros(num_slots, np.float64),
        used=np.zeros(2, np.int64),
    )


@kernel
def add_set(table: Table, bucket: int, key: np.uint64, moves: IntArray, num: int) -> int:
    """A new set with so many legal moves, all made equally often; NONE if there is no room."""
    number, first = table.used[SETS], table.used[SLOTS]
    if number >= len(table.keys) or first + num > len(table.moves):
        return NONE
    table.used[SETS] += 1
    table.used[SLOTS] += num
    table.buckets[bucket] = number
    table.keys[number] = key
    table.firsts[number] = first
    table.sizes[number] = num
    for k in range(num):
        table.moves[first + k] = moves[k]
        table.regrets[first + k] = 0.0
        table.shares[first + k] = 1.0 / num
        table.sums[first + k] = 0.0
    return int(number)


@kernel
def match_regrets(table: Table, number: int) -> None:
    """From now on make the moves of a set in proportion to their regrets."""
    first, size = table.firsts[number], table.sizes[number]
    total = 0.0
    for slot in range(first, first + size):
        total += max(0.0, table.regrets[slot])
    for slot in range(first, first + size):
        share = max(0.0, table.regrets[slot]) / total if total > 0.0 else 1.0 / size
        table.shares[slot] = share
