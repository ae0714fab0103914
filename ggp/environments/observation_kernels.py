"""The kernels that write observations of many states, a row each."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

import gdl

Bytes = NDArray[np.uint8]
Words = NDArray[np.uint64]
IntArray = NDArray[np.int32]
Indices = NDArray[np.uint32]

END: Final = np.uint32(0xFFFFFFFF)


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
    """The sources of a state's planes. Facts and places are followed by END where they end.

    The planes of `P` places on boards come first, those of `K` facts that fill a plane follow.
    Numbers are unsigned: numba would look at each index whether it counts from the end.
    """

    sources: Indices  # [R, P] for each role the fact that stands in each place
    empty: Indices  # [R, E] places in which no fact stands; their source is any
    shared: Indices  # [R, S, 2] places in which another fact stands as well, and that fact
    whole: Indices  # [R, K] facts that fill a plane; END for none


@gdl.kernel
def write_planes(facts: Bytes, roles: IntArray, tables: PlaneTables, area: int, out: Bytes) -> None:
    """Write facts as planes.

    Args:
        facts: `[N, B]` as 0 and 1.
        roles: `[N]` from whose point of view.
        tables: Where they come from.
        area: Places of a plane.
        out: `[N, Z]`, all planes of a state in a row.
    """
    num_places, size = tables.sources.shape[1], out.shape[1]
    for number in range(len(facts)):
        role = np.uint64(roles[number])
        mine, row = facts[np.uint64(number)], out[np.uint64(number)]
        sources, empty = tables.sources[role], tables.empty[role]
        for place in range(num_places):
            row[np.uint64(place)] = mine[np.uint64(sources[np.uint64(place)])]
        for index in range(len(empty)):
            if empty[np.uint64(index)] == END:
                break
            row[np.uint64(empty[np.uint64(index)])] = 0
        write_shared(mine, tables.shared[role], row)
        for place in range(num_places, size):
            row[np.uint64(place)] = 0
        write_whole(mine, tables.whole[role], np.uint64(area), row[np.uint64(num_places) :])


@gdl.kernel
def write_shared(facts: Bytes, shared: Indices, row: Bytes) -> None:
    """Write the facts that stand where others do."""
    for index in range(len(shared)):
        place, fact = shared[np.uint64(index), 0], shared[np.uint64(index), 1]
        if place == END:
            break
        row[np.uint64(place)] |= facts[np.uint64(fact)]


@gdl.kernel
def write_whole(facts: Bytes, whole: Indices, area: np.uint64, planes: Bytes) -> None:
    """Write the facts that fill a plane each; the planes are empty."""
    for index in range(len(whole)):
        fact = whole[np.uint64(index)]
        if fact != END and facts[np.uint64(fact)]:
            start = np.uint64(index) * area
            for place in range(area):
                planes[start + np.uint64(place)] = 1
