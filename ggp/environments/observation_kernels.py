"""The kernels that write observations of many states, a row each."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import gdl

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint64]
IntArray = NDArray[np.int32]


@gdl.kernel
def write_packed(facts: Bytes, out: Words) -> None:
    """Write facts as bits: fact b is bit `b % 64` of word `b // 64`.

    Args:
        facts: `[N, B]` as 0 and 1.
        out: `[N, ceil(B / 64)]`.
    """
    num_facts = facts.shape[1]
    for row in range(len(facts)):
        for index in range(out.shape[1]):
            first = 64 * index
            value = np.uint64(0)
            for bit in range(min(64, num_facts - first)):
                value |= np.uint64(facts[row, first + bit]) << np.uint64(bit)
            out[row, index] = value


class PlaneTables(NamedTuple):
    """Facts and where they begin in a row of planes, `[K, 2]`; those of each role in turn."""

    unique: IntArray  # that have their place for themselves
    unique_starts: IntArray  # [R + 1]
    shared: IntArray  # that share it
    shared_starts: IntArray
    whole: IntArray  # that fill a plane
    whole_starts: IntArray


@gdl.kernel
def write_planes(facts: Bytes, roles: IntArray, tables: PlaneTables, area: int, out: Bytes) -> None:
    """Write facts as planes.

    Args:
        facts: `[N, B]` as 0 and 1.
        roles: `[N]` from whose point of view.
        tables: Where facts stand.
        area: Places of a plane.
        out: `[N, S]`, all planes of a state in a row.
    """
    for row in range(len(facts)):
        role = roles[row]
        for place in range(out.shape[1]):
            out[row, place] = 0
        table = tables.unique
        for index in range(tables.unique_starts[role], tables.unique_starts[role + 1]):
            out[row, table[index, 1]] = facts[row, table[index, 0]]
        table = tables.shared
        for index in range(tables.shared_starts[role], tables.shared_starts[role + 1]):
            out[row, table[index, 1]] |= facts[row, table[index, 0]]
        table = tables.whole
        for index in range(tables.whole_starts[role], tables.whole_starts[role + 1]):
            if facts[row, table[index, 0]]:
                out[row, table[index, 1] : table[index, 1] + area] = 1
