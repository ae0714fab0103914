"""Tables of numbers: their rows differ, and are found by the values of some of their columns.

Rows are numbered in the order in which they were added, and never change. An `Index` chains all
rows with the same hash of its columns, the newest first. So the rows that were added last, or all
before them, can be looked up alone.
"""

from __future__ import annotations

from typing import Final, cast

import numpy as np

from gdl.ground.program import IntArray
from gdl.native.jit import kernel_elsewhere as kernel

MISSING: Final = -1
_ROOM: Final = 16  # rows of a new table


class RowTable:
    """Distinct rows of numbers.

    Attributes:
        rows: `[capacity, width]`; those from `size` on are not set.
        size: Number of rows.
    """

    def __init__(self, width: int) -> None:
        self.rows = np.empty((_ROOM, width), np.int32)
        self.size = 0
        self._index = Index(range(width))

    @property
    def memory(self) -> int:
        """Number of bytes that the table takes."""
        return self.rows.nbytes + self._index.memory

    def add(self, rows: IntArray) -> IntArray:
        """Add rows, `[n, width]`, unless they are there. Return their numbers, `[n]`."""
        self.rows = with_room(self.rows, self.size, len(rows))
        index, numbers = self._index, np.empty(len(rows), np.int32)
        index.extend(self.rows, self.size)
        self.size = _add_distinct(rows, self.rows, self.size, index.heads, index.chain, numbers)
        index.size = self.size
        return numbers

    def find(self, rows: IntArray) -> IntArray:
        """Return the number of each row, `[n]`, or MISSING."""
        numbers = np.empty(len(rows), np.int32)
        _find(rows, self.rows, self._index.heads, self._index.chain, numbers)
        return numbers


class Index:
    """Chains of the rows that may be equal in some columns.

    Attributes:
        columns: The numbers of the columns.
        heads: `[a power of two]` the newest row with each hash, or MISSING.
        chain: `[capacity]` for each row, the next older one with the same hash, or MISSING.
        size: Number of rows in the chains.
    """

    def __init__(self, columns: range | tuple[int, ...]) -> None:
        self.columns = np.array(columns, np.int32)
        self.heads = np.full(2 * _ROOM, MISSING, np.int32)
        self.chain = np.empty(_ROOM, np.int32)
        self.size = 0

    @property
    def memory(self) -> int:
        """Number of bytes that the index takes."""
        return self.heads.nbytes + self.chain.nbytes

    def extend(self, rows: IntArray, size: int) -> None:
        """Chain the rows up to `size`, and make room for all of them."""
        if len(rows) > len(self.chain):
            self.chain = np.empty(len(rows), np.int32)
            self.heads = np.full(2 << (len(rows) - 1).bit_length(), MISSING, np.int32)
            self.size = 0
        if self.size < size:
            _link(rows, self.columns, self.heads, self.chain, self.size, size)
            self.size = size


def with_room(rows: IntArray, size: int, more: int) -> IntArray:
    """Return an array with the first `size` rows, and room for `more` of them."""
    if size + more <= len(rows):
        return rows
    larger = np.empty((max(size + more, 2 * len(rows)), *rows.shape[1:]), np.int32)
    larger[:size] = rows[:size]
    return larger


_ZERO: Final = cast("int", np.int64(0))  # for numba, a literal has another type
_FACTOR: Final = 0x9E3779B97F4A7C1  # odd; below 2 ** 60


@kernel
def _mix(found: int, value: int) -> int:
    found = (found ^ value) * _FACTOR
    return found ^ (found >> 31)


@kernel
def _slot(rows: IntArray, row: int, columns: IntArray, heads: IntArray) -> int:
    found = _ZERO
    for column in columns:
        found = _mix(found, rows[row, column])
    return found & (len(heads) - 1)


@kernel
def _slot_of_all(rows: IntArray, row: int, heads: IntArray) -> int:
    found = _ZERO
    for column in range(rows.shape[1]):
        found = _mix(found, rows[row, column])
    return found & (len(heads) - 1)


@kernel
def _look_up(rows: IntArray, row: int, known: IntArray, node: int, chain: IntArray) -> int:
    width = rows.shape[1]
    while node >= 0:
        column = 0
        while column < width and known[node, column] == rows[row, column]:
            column += 1
        if column == width:
            break
        node = chain[node]
    return node


@kernel
def _link(
    rows: IntArray, columns: IntArray, heads: IntArray, chain: IntArray, start: int, end: int
) -> None:
    for row in range(start, end):
        slot = _slot(rows, row, columns, heads)
        chain[row] = heads[slot]
        heads[slot] = row


@kernel
def _add_distinct(
    rows: IntArray, known: IntArray, size: int, heads: IntArray, chain: IntArray, numbers: IntArray
) -> int:
    for row in range(len(rows)):
        slot = _slot_of_all(rows, row, heads)
        node = _look_up(rows, row, known, heads[slot], chain)
        if node < 0:
            node = size
            for column in range(rows.shape[1]):
                known[node, column] = rows[row, column]
            chain[node] = heads[slot]
            heads[slot] = node
            size += 1
        numbers[row] = node
    return size


@kernel
def _find(
    rows: IntArray, known: IntArray, heads: IntArray, chain: IntArray, numbers: IntArray
) -> None:
    for row in range(len(rows)):
        slot = _slot_of_all(rows, row, heads)
        numbers[row] = _look_up(rows, row, known, heads[slot], chain)


@kernel
def find_matches(
    keys: IntArray,
    rows: IntArray,
    index: tuple[IntArray, IntArray, IntArray],
    window: tuple[int, int],
    place: IntArray,
    pairs: IntArray,
) -> int:
    """Find rows whose columns have the values of a key. Return the number of pairs.

    Args:
        keys: `[n, columns]` the wanted values.
        rows: `[m, width]`.
        index: The columns, heads and chain of an `Index` of the rows.
        window: The first row that counts, and the first after them.
        place: `[2]` the key and the row at which to go on. At the end, the key is `n`.
        pairs: `[2, room]` receives the numbers of a key and a row for each match.
    """
    columns, heads, chain = index
    low, high = window
    count, key, node = 0, place[0], place[1]
    while key < len(keys):
        if node == MISSING:
            node = heads[_slot_of_all(keys, key, heads)]
        while node >= high or (node >= low and not _agree(keys, key, rows, node, columns)):
            node = chain[node]
        if node < low:
            key, node = key + 1, MISSING
            continue
        if count == pairs.shape[1]:
            break
        pairs[0, count], pairs[1, count] = key, node
        count, node = count + 1, chain[node]
        if node == MISSING:
            key += 1
    place[0], place[1] = key, node
    return count


@kernel
def _agree(keys: IntArray, key: int, rows: IntArray, row: int, columns: IntArray) -> bool:
    k = 0
    while k < len(columns) and rows[row, columns[k]] == keys[key, k]:
        k += 1
    return k == len(columns)
