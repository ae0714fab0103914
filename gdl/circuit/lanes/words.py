"""Words of 64 bits in kernels: their bits counted, found, compared for and spread to bytes."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numpy.typing import NDArray

from gdl.circuit.lanes.vectors import WORD_BITS, element_pointer, operation, signature

Words = NDArray[np.uint64]

_WORD, _BYTE, _BIT = ir.IntType(WORD_BITS), ir.IntType(8), ir.IntType(1)


def _lowest_plain(bits: np.uint64) -> int:
    return (int(bits) & -int(bits)).bit_length() - 1


@operation(_lowest_plain)
def lowest(typing: object, bits: types.Integer) -> Any:
    """`lowest(bits)`: the number of the lowest bit that is set in a word that is not 0."""

    def generate(context: object, builder: Any, sig: Any, args: Any) -> ir.Value:
        return builder.cttz(args[0], ir.Constant(_BIT, 1))

    return signature(types.int64, types.uint64), generate


def _count_bits_plain(bits: np.uint64) -> int:
    return int(bits).bit_count()


@operation(_count_bits_plain)
def count_bits(typing: object, bits: types.Integer) -> Any:
    """`count_bits(bits)`: how many bits of a word are set."""

    def generate(context: object, builder: Any, sig: Any, args: Any) -> ir.Value:
        return builder.ctpop(args[0])

    return signature(types.int64, types.uint64), generate


def _select_bit_plain(bits: np.uint64, rank: int) -> int:
    places = np.flatnonzero(np.unpackbits(np.array([bits]).view(np.uint8), bitorder="little"))
    return int(places[rank]) if rank < len(places) else WORD_BITS - 1


@operation(_select_bit_plain)
def select_bit(typing: object, bits: types.Integer, rank: types.Integer) -> Any:
    """`select_bit(bits, rank)`: the place of the set bit below which so many are set.

    It is found by halving, without branches, so that loops over words become vectors.
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
    """`match(array, index, value)`: a bit for each of 64 elements from an index on: is it that?"""

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
    """`spread(bits, target, index)`: writes each of the 64 bits of a word as a byte, 0 or 1."""

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
