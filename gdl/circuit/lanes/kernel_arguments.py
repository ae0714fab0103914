"""Frames: the arrays of a game in one block of memory, so that a call hands over one array.

numba takes each array of each tuple from Python anew at every call. For the sixty of a game that
takes longer than to expand it: 8 microseconds, of 10.

    frame = pack_arguments((state, tables, batch))
    expand(frame, num, phase, False)

Where numba is switched off a frame is the tuple itself.
"""

from __future__ import annotations

from typing import Any, cast

from llvmlite import ir
from numba import core, types

from gdl.circuit.lanes.batch import Batch
from gdl.circuit.lanes.playing import LaneState
from gdl.circuit.lanes.tables import Tables
from gdl.circuit.lanes.vectors import (
    LaneArray,
    element_pointer,
    lane_array,
    operation,
    signature,
    width_of,
)
from gdl.circuit.native.jit import lane_kernel

Parts = tuple[LaneState, Tables, Batch]

_FRAME_BYTES = 1 << 15

# Untyped in numba.
_core: Any = core

# By width of the lane vectors. Nothing else can differ, or machine code from the disk, which is
# chosen by the type of the frame, would read something that is not there.
_types: dict[int, Any] = {}


def pack_arguments(parts: Parts) -> LaneArray:
    """A frame; its owner keeps the parts, of which it has the addresses only."""
    if _core.config.DISABLE_JIT:
        return cast(LaneArray, parts)
    width = parts[0].values.dtype["words"].shape[0]
    found = _core.typing.typeof.typeof(parts)
    assert _types.setdefault(width, found) == found, "arrays of other types than before"
    frame = lane_array(_FRAME_BYTES // (8 * width), width)
    size = _write(frame, parts)
    assert size <= _FRAME_BYTES
    return frame


def _unpack_plain(frame: LaneArray) -> Parts:
    return cast(Parts, frame)


@operation(_unpack_plain)
def unpack_arguments(typing: object, frame: types.Array) -> Any:
    """`unpack_arguments(frame)`: what is in it."""

    def generate(*generator: Any) -> ir.Value:
        context, builder, sig, _ = generator
        return builder.load(_pointer(generator, context.get_value_type(sig.return_type)), align=8)

    return signature(_types[width_of(frame)], frame), generate


def _fill_plain(frame: LaneArray, parts: Parts) -> int:
    raise AssertionError("a frame, but numba is switched off")


@operation(_fill_plain)
def _fill(typing: object, frame: types.Array, parts: Any) -> Any:
    """`_fill(frame, parts)`: writes a frame; how many bytes it has."""

    def generate(*generator: Any) -> ir.Value:
        context, builder, sig, args = generator
        part_type = context.get_value_type(sig.args[1])
        builder.store(args[1], _pointer(generator, part_type), align=8)
        return ir.Constant(ir.IntType(64), context.get_abi_sizeof(part_type))

    return signature(types.int64, frame, parts), generate


@lane_kernel
def _write(frame: LaneArray, parts: Parts) -> int:
    return _fill(frame, parts)


def _pointer(generator: Any, to: ir.Type) -> ir.Value:
    return generator[1].bitcast(element_pointer(generator, 0), to.as_pointer())
