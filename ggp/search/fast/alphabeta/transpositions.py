"""The transposition table, which stores what is known about states that were searched before.

A state can be in one of two adjacent entries. The first keeps the state that was searched deepest
in this turn, and the second keeps the latest. States are identified by a hash of 128 bits.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gdl import kernel
from ggp.search.fast.alphabeta.stack import Stack
from ggp.search.kernels.arrays import NONE, FloatArray, IntArray, LongArray, Words
from ggp.search.kernels.hashing import STEP, mix

EXACT, LOWER, UPPER = range(1, 4)  # kinds of values
BYTES_PER_ENTRY = 32

_KEY, _OTHER_KEY, _META, _VALUE = range(4)  # columns
# The meta word has, from the lowest bit: bound, completeness, move + 1, depth and turn.
_COMPLETE, _MOVE, _DEPTH, _TURN = 2, 3, 32, 48
_MOVES, _DEPTHS, _TURNS = (1 << 29) - 1, (1 << 16) - 1, (1 << 8) - 1


class Table(NamedTuple):
    """The table: `E` entries, a power of two. An entry whose meta word is 0 is empty."""

    rows: LongArray  # [E, 4] the two keys, meta word, value
    values: FloatArray  # [E, 4] the same memory as floats


def make_table(num_bytes: int) -> Table:
    """Create an empty table of at most `num_bytes` bytes, but with at least two entries."""
    num_entries = 1 << max(1, (num_bytes // BYTES_PER_ENTRY).bit_length() - 1)
    rows = np.zeros((num_entries, 4), np.int64)
    return Table(rows, rows.view(np.float64))


@kernel
def hash_state(states: IntArray, row: int, keys: Words) -> None:
    """Write the two keys of the packed state in row `row` of `states` to the same row of `keys`."""
    first, second = STEP, np.uint64(0xD1B54A32D192ED03)
    low = np.uint64(0xFFFFFFFF)
    for k in range(0, states.shape[1], 2):
        word = (np.uint64(states[row, k]) & low) | (np.uint64(states[row, k + 1]) << np.uint64(32))
        first = mix(first ^ word)
        second = (second ^ word) * np.uint64(0xFF51AFD7ED558CCD)
        second ^= second >> np.uint64(32)
    keys[row, 0] = first
    keys[row, 1] = second


@kernel
def find(table: Table, keys: Words, row: int) -> int:
    """Return the entry of a state, or NONE."""
    key, other = np.int64(keys[row, 0]), np.int64(keys[row, 1])
    place = key & (len(table.rows) - 2)
    for entry in range(place, place + 2):
        found = table.rows[entry]
        if found[_KEY] == key and found[_OTHER_KEY] == other and found[_META] != 0:
            return int(entry)
    return NONE


@kernel
def move_of(table: Table, entry: int) -> int:
    """Return the best move of an entry, or NONE."""
    return int((table.rows[entry, _META] >> _MOVE) & _MOVES) - 1


@kernel
def known_move(table: Table, states: IntArray, keys: Words) -> int:
    """Return the best known move of a packed state `[1, W]`, or NONE. This overwrites `keys`."""
    hash_state(states, 0, keys)
    entry = find(table, keys, 0)
    return move_of(table, entry) if entry != NONE else NONE


@kernel
def bound_of(table: Table, entry: int) -> int:
    """Return whether the value of an entry is EXACT, or a LOWER or UPPER bound."""
    return int(table.rows[entry, _META] & 3)


@kernel
def value_of(table: Table, entry: int) -> float:
    """Return the value of an entry, for the searching role."""
    return float(table.values[entry, _VALUE])


@kernel
def is_complete(table: Table, entry: int) -> bool:
    """Return whether the value of an entry depends on terminal states only."""
    return bool((table.rows[entry, _META] >> _COMPLETE) & 1)


@kernel
def depth_of(table: Table, entry: int) -> int:
    """Return the number of plies that were searched for an entry."""
    return int((table.rows[entry, _META] >> _DEPTH) & _DEPTHS)


@kernel
def answers(table: Table, entry: int, depth: int) -> bool:
    """Return whether an entry holds what a search to `depth` would find.

    A deeper entry knows more, but the value of a search must not depend on earlier searches. A
    value that depends on terminal states only is the same in every deeper search.
    """
    known = depth_of(table, entry)
    return known == depth or (known < depth and is_complete(table, entry))


@kernel
def store(table: Table, stack: Stack, frame: int, turn: int) -> None:
    """Store the result of a frame whose moves have all been searched or cut off."""
    key, other = np.int64(stack.keys[frame, 0]), np.int64(stack.keys[frame, 1])
    depth, turn = np.int64(stack.depths[frame]), turn & _TURNS
    place = key & (len(table.rows) - 2)
    first = table.rows[place]
    is_same = first[_KEY] == key and first[_OTHER_KEY] == other
    is_old = (first[_META] >> _TURN) & _TURNS != turn
    if not is_same and not is_old and (first[_META] >> _DEPTH) & _DEPTHS > depth:
        place += 1
    elif not is_same:
        for column in range(4):
            table.rows[place + 1, column] = table.rows[place, column]
    move = np.int64(stack.best_moves[frame]) + 1
    complete = np.int64(stack.is_complete[frame])
    table.rows[place, _KEY] = key
    table.rows[place, _OTHER_KEY] = other
    table.rows[place, _META] = (
        _bound(stack, frame)
        | complete << _COMPLETE
        | move << _MOVE
        | depth << _DEPTH
        | turn << _TURN
    )
    table.values[place, _VALUE] = stack.bests[frame]


@kernel
def _bound(stack: Stack, frame: int) -> int:
    if stack.bests[frame] <= stack.lowers[frame]:
        return UPPER
    return LOWER if stack.bests[frame] >= stack.uppers[frame] else EXACT
