"""Lane vectors whose places a table tells, in words: an address is computed in no instruction.

A place in words is the index of a vector times the width.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numpy.typing import NDArray

from gdl.circuit.lanes.vectors import (
    LaneArray,
    LaneType,
    LaneVector,
    element_pointer,
    load,
    operation,
    signature,
    store,
    vector_alignment,
    vector_type,
    width_of,
)

_WORD = ir.IntType(64)


def _load_at_plain(values: LaneArray, table: NDArray[np.int32], index: int) -> LaneVector:
    return load(values, int(table[index]) // values["words"].shape[1])


@operation(_load_at_plain)
def load_at(typing: object, values: types.Array, table: types.Array, index: types.Integer) -> Any:
    """`load_at(values, table, index)`: the vector whose place, in words, a table tells."""

    def generate(*generator: Any) -> ir.Value:
        _, builder, sig, _ = generator
        pointer = _told_pointer(generator)
        return builder.load(pointer, align=vector_alignment(width_of(sig.args[0])))

    return signature(LaneType(width_of(values)), values, table, types.int64), generate


def _store_at_plain(
    values: LaneArray, table: NDArray[np.int32], index: int, vector: LaneVector
) -> None:
    store(values, int(table[index]) // values["words"].shape[1], vector)


@operation(_store_at_plain)
def store_at(
    typing: object, values: types.Array, table: types.Array, index: types.Integer, vector: LaneType
) -> Any:
    """`store_at(values, table, index, vector)`: puts a vector where, in words, a table tells."""

    def generate(*generator: Any) -> ir.Value:
        context, builder, sig, args = generator
        pointer = _told_pointer(generator)
        builder.store(args[3], pointer, align=vector_alignment(width_of(sig.args[0])))
        return context.get_dummy_value()

    return signature(types.void, values, table, types.int64, vector), generate


def _told_pointer(generator: Any) -> ir.Value:
    """Pointer to the vector whose place in words is an entry of the table that is argument 1."""
    _, builder, sig, args = generator
    # Offsets in words are never negative: to extend them by zeros costs nothing.
    entry = builder.load(builder.gep(element_pointer(generator, 1), [args[2]]))
    words = builder.bitcast(element_pointer(generator, 0), _WORD.as_pointer())
    pointer = builder.gep(words, [builder.zext(entry, _WORD)])
    return builder.bitcast(pointer, vector_type(width_of(sig.args[0])).as_pointer())
