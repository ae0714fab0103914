"""Words of 64 bits in kernels: count, find and compare their bits, and spread them to bytes.

In lanes, a state is one bit in each of many words. Outside of lanes, a state is packed into a few
words of its own. Transposing 64 rows of 64 bits converts one format into the other.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numpy.typing import NDArray

from gdl.circuit.lanes.vectors import (
    WORD_BITS,
    LaneArray,
    at,
    element_pointer,
    load,
    load_literal,
    operation,
    set_word,
    signature,
    splat,
    store,
    word,
)
from gdl.circuit.netlist import IntArray, Words
from gdl.native.jit import lane_kernel

_WORD, _BYTE, _BIT = ir.IntType(WORD_BITS), ir.IntType(8), ir.IntType(1)


def _lowest_plain(bits: np.uint64) -> int:
    return (int(bits) & -int(bits)).bit_length() - 1


@operation(_lowest_plain)
def lowest(typing: object, bits: types.Integer) -> Any:
    """`lowest(bits)`: return the index of the lowest bit that is set. `bits` must not be 0."""

    def generate(context: object, builder: Any, sig: Any, args: Any) -> ir.Value:
        return builder.cttz(args[0], ir.Constant(_BIT, 1))

    return signature(types.int64, types.uint64), generate


def _count_bits_plain(bits: np.uint64) -> int:
    return int(bits).bit_count()


@operation(_count_bits_plain)
def count_bits(typing: object, bits: types.Integer) -> Any:
    """`count_bits(bits)`: return the number of bits that are set in a word."""

    def generate(context: object, builder: Any, sig: Any, args: Any) -> ir.Value:
        return builder.ctpop(args[0])

    return signature(types.int64, types.uint64), generate


def _select_bit_plain(bits: np.uint64, rank: int) -> int:
    places = np.flatnonzero(np.unpackbits(np.array([bits]).view(np.uint8), bitorder="little"))
    return int(places[rank]) if rank < len(places) else WORD_BITS - 1


@operation(_select_bit_plain)
def select_bit(typing: object, bits: types.Integer, rank: types.Integer) -> Any:
    """`select_bit(bits, rank)`: return the index of the set bit that has `rank` set bits below it.

    It uses a bisection without branches, so that loops over words can be vectorised.
    """

    def generate(context: object, builder: Any, sig: Any, args: Any) -> ir.Value:
        rest, rank = args
        place, width = ir.Constant(_WORD, 0), WORD_BITS // 2
        while width:
            lower = builder.and_(rest, ir.Constant(_WORD, (1 << width) - 1))
            size = builder.ctpop(lower)
            is_above = builder.icmp_unsigned(">=", rank, size)
            upper = builder.lshr(rest, ir.Constant(_WORD, width))
            rest = builder.select(is_above, upper, lower)
            rank = builder.select(is_above, builder.sub(rank, size), rank)
            step = builder.select(is_above, ir.Constant(_WORD, width), ir.Constant(_WORD, 0))
            place = builder.add(place, step)
            width //= 2
        return place

    return signature(types.int64, types.uint64, types.int64), generate


def _match_plain(array: NDArray[np.integer], index: int, value: int) -> np.uint64:
    found = np.packbits(array[index : index + WORD_BITS] == value, bitorder="little")
    return np.uint64(found.view(np.uint64)[0])


@operation(_match_plain)
def match(typing: object, array: types.Array, index: types.Integer, value: types.Integer) -> Any:
    """`match(array, index, value)`: return which of the 64 elements from `index` on equal `value`.

    The result is a word with a bit for each element.
    """

    def generate(*generator: Any) -> ir.Value:
        _, builder, sig, args = generator
        element = ir.IntType(sig.args[0].dtype.bitwidth)
        vector = ir.VectorType(element, WORD_BITS)
        place = builder.gep(element_pointer(generator, 0), [args[1]])
        loaded = builder.load(builder.bitcast(place, vector.as_pointer()), align=1)
        wanted = builder.trunc(args[2], element) if element.width < WORD_BITS else args[2]
        undefined = ir.Constant(vector, ir.Undefined)
        first = builder.insert_element(undefined, wanted, ir.Constant(ir.IntType(32), 0))
        zeros = ir.Constant(ir.VectorType(ir.IntType(32), WORD_BITS), [0] * WORD_BITS)
        same = builder.icmp_unsigned("==", loaded, builder.shuffle_vector(first, undefined, zeros))
        return builder.bitcast(same, _WORD)

    return signature(types.uint64, array, types.int64, types.int64), generate


def _spread_plain(bits: np.uint64, target: NDArray[np.uint8], index: int) -> None:
    found = np.unpackbits(np.array([bits]).view(np.uint8), bitorder="little")
    target[index : index + WORD_BITS] = found


@operation(_spread_plain)
def spread(typing: object, bits: types.Integer, target: types.Array, index: types.Integer) -> Any:
    """`spread(bits, target, index)`: write each of the 64 bits of a word as a byte, 0 or 1."""

    def generate(*generator: Any) -> ir.Value:
        context, builder, _, args = generator
        vector = ir.VectorType(_BYTE, WORD_BITS)
        place = builder.gep(element_pointer(generator, 1), [args[2]])
        each = builder.bitcast(args[0], ir.VectorType(_BIT, WORD_BITS))
        builder.store(
            builder.zext(each, vector), builder.bitcast(place, vector.as_pointer()), align=1
        )
        return context.get_dummy_value()

    return signature(types.void, types.uint64, target, types.int64), generate


@lane_kernel
def transpose(transpose_buffer: LaneArray) -> None:
    """Exchange bit j of vector i with bit i of vector j, in each word of 64 vectors.

    Squares on opposite sides of the diagonal are exchanged: first 32 x 32 bits, then 16 x 16, and
    so on.
    """
    distance = WORD_BITS // 2
    pattern = (1 << 32) - 1  # blocks of `distance` bits, every second one set
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
    """Unpack `num` states into the lanes. Lane l receives state `l % num`.

    Args:
        target: Receives the bases, from the vector `first` on.
        states: `[num or more, words]` packed states, of which the first `num` are read.
        transpose_buffer: `[64]` scratch buffer.
    """
    # numba gives no access to the width of a lane array, so compute it from the size.
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
    """Pack the values of the given literals into words, for each of the first `num` lanes.

    Args:
        places: `[64 * num_columns]` the literal for each bit of the words.
        num_columns: The number of words to write for each lane.
        packed: `[num or more, num_columns or more]` receives the words.
        transpose_buffer: `[64]` scratch buffer.
    """
    for column in range(num_columns):
        start = column * WORD_BITS
        for index in range(WORD_BITS):
            store(transpose_buffer, index, load_literal(values, at(places, start + index)))
        transpose(transpose_buffer)
        for lane in range(num):
            packed[lane, column] = word(transpose_buffer, lane % WORD_BITS, lane // WORD_BITS)
