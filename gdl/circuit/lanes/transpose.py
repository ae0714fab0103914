"""Packed states into lanes and back: squares of 64 x 64 bits that change rows for columns.

A packed state has base b in bit `b % 64` of word `b // 64`. On lanes it is the other way round: a
base is a vector, and a state is a bit in each.
"""

from __future__ import annotations

from gdl.circuit.lanes.vectors import (
    WORD_BITS,
    LaneArray,
    at,
    load,
    load_literal,
    set_word,
    splat,
    store,
    word,
)
from gdl.circuit.lanes.words import Words
from gdl.circuit.native.jit import lane_kernel
from gdl.circuit.netlist import IntArray


@lane_kernel
def transpose(transpose_buffer: LaneArray) -> None:
    """Bit j of vector i becomes bit i of vector j, in each word of 64 vectors.

    Ever smaller squares change places with those across the diagonal: 32 x 32 bits, 16 x 16, ...
    """
    distance = WORD_BITS // 2
    pattern = (1 << 32) - 1  # the bits whose number is even, counted in distances
    while distance > 0:
        mask = splat(transpose_buffer, pattern)
        for pair in range(WORD_BITS // 2):
            low = pair & (distance - 1)
            upper = 2 * (pair - low) + low
            first, second = load(transpose_buffer, upper), load(transpose_buffer, upper + distance)
            changed = ((first >> distance) ^ second) & mask
            store(transpose_buffer, upper, first ^ (changed << distance))
            store(transpose_buffer, upper + distance, second ^ changed)
        distance >>= 1
        pattern ^= pattern << distance


@lane_kernel
def load_packed(
    target: LaneArray,
    first: int,
    states: Words,
    num: int,
    num_bases: int,
    transpose_buffer: LaneArray,
) -> None:
    """Set lane l to state `l % num`.

    Args:
        target: The bases stand at `first` and after it.
        first: Where.
        states: `[states, words]` packed.
        num: How many of the states.
        num_bases: Bases of a state.
        transpose_buffer: `[64]` room to work in.
    """
    # numba does not see the width in a lane array, but how many words it has.
    num_blocks = transpose_buffer.size * transpose_buffer.itemsize // (8 * WORD_BITS)
    for column in range(states.shape[1]):
        row = 0
        for block in range(num_blocks):
            for lane in range(WORD_BITS):
                set_word(transpose_buffer, lane, block, states[row, column])
                row = row + 1 if row + 1 < num else 0
        transpose(transpose_buffer)
        start = column * WORD_BITS
        for base in range(min(WORD_BITS, num_bases - start)):
            store(target, first + start + base, load(transpose_buffer, base))


@lane_kernel
def read_packed(
    values: LaneArray,
    places: IntArray,
    num_columns: int,
    packed: Words,
    num: int,
    transpose_buffer: LaneArray,
) -> None:
    """Pack what stands at places, for each of the first lanes.

    Args:
        values: The lanes.
        places: `[64 * columns]` literals of slots, 64 for each word.
        num_columns: How many words to write for each lane.
        packed: `[lanes, columns]` is written.
        num: How many lanes.
        transpose_buffer: `[64]` room to work in.
    """
    for column in range(num_columns):
        start = column * WORD_BITS
        for index in range(WORD_BITS):
            store(transpose_buffer, index, load_literal(values, at(places, start + index)))
        transpose(transpose_buffer)
        for lane in range(num):
            packed[lane, column] = word(transpose_buffer, lane % WORD_BITS, lane // WORD_BITS)
