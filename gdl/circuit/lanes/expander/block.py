"""The batch: input and output of the expander's kernels, in one block of memory.

If Python passes tuples of arrays to a kernel, numba converts every array at every call. For the
sixty arrays of a game that takes 8 of the 10 microseconds of a call. So a call passes a single
array, a frame, which contains the addresses of the others:

    frame = pack_arguments((state, tables, batch))
    expand(frame, num, phase, False)

If numba is switched off, a frame is the tuple itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, NamedTuple, cast

import numpy as np
from llvmlite import ir
from numba import core, types
from numpy.typing import NDArray

from gdl.circuit.lanes.playouts.kernels import LaneState
from gdl.circuit.lanes.tables import Tables
from gdl.circuit.lanes.vectors import (
    WORD_BITS,
    LaneArray,
    element_pointer,
    lane_array,
    operation,
    signature,
    width_of,
)
from gdl.circuit.netlist import NO, IntArray, Words
from gdl.circuit.schedule import Schedule
from gdl.native.jit import lane_kernel


class Batch(NamedTuple):
    """Input, output and scratch memory.

    There are `L` lanes, `R` roles, `B` bases in `W` words, `I` inputs, `P` phases, and `C` columns.
    The candidates of a phase are its inputs that may be legal. They are stored in columns of 64,
    and each role has its own columns.
    """

    parents: Words  # [L, W]
    moves: IntArray  # [L, R] inputs
    children: Words  # [L, W]
    is_terminal: NDArray[np.uint8]  # [L]
    goals: NDArray[np.int16]  # [L, R] the highest goal of each role in terminal children
    legal_starts: IntArray  # [L * R + 1]
    legal: IntArray  # inputs
    totals: NDArray[np.int64]  # [L, R] sums of the goals of playouts
    base_places: IntArray  # [64 * W] literals; NO after the last base
    legal_places: IntArray  # [P, 64 * C] literals of candidates; NO after a role's last one
    candidates: IntArray  # [P, 64 * C] inputs
    columns: IntArray  # [P, R + 1] where the columns of each role begin
    legal_bits: Words  # [L, C] which candidates are legal
    leaf_of: IntArray  # [L] index of the state from which each lane plays
    starts: LaneArray  # [B] the states from which playouts begin
    ended: LaneArray  # [P] the lanes that ended in each phase and are not counted yet
    made: LaneArray  # [candidates as in `Choices`] lanes in which each was chosen; may be empty
    move_counts: NDArray[np.int64]  # [I] in how many playouts each input was chosen
    move_goals: NDArray[np.int64]  # [I] the sum of its role's goals in these playouts
    transpose_buffer: LaneArray  # [64]
    num_inputs: int
    first_input: int  # slot of the first input


def make_batch(
    phases: Sequence[Schedule], num_lanes: int, width: int, num_watched: int = 0
) -> Batch:
    """Return memory for batches of a game, given a schedule for each phase.

    The caller has to set the places of legality, see `set_legal_places`.

    Args:
        num_watched: The number of candidates, if the batch records in which lanes each of them is
            chosen, else 0.
    """
    netlist = phases[0].netlist
    num_roles, num_words = len(netlist.roles), max(1, -(-netlist.num_bases // WORD_BITS))
    sizes = np.array([_num_candidates(phase) for phase in phases])
    num_columns = -(-sizes // WORD_BITS)
    columns = np.zeros((len(phases), num_roles + 1), np.int32)
    columns[:, 1:] = np.cumsum(num_columns, axis=1)
    most_columns = max(1, int(columns[:, -1].max()))
    base_places = np.full(num_words * WORD_BITS, NO, np.int32)
    base_places[: netlist.num_bases] = 2 * np.arange(1, 1 + netlist.num_bases)
    return Batch(
        parents=np.zeros((num_lanes, num_words), np.uint64),
        moves=np.zeros((num_lanes, num_roles), np.int32),
        children=np.zeros((num_lanes, num_words), np.uint64),
        is_terminal=np.zeros(num_lanes, np.uint8),
        goals=np.zeros((num_lanes, num_roles), np.int16),
        legal_starts=np.zeros(num_lanes * num_roles + 1, np.int32),
        # Memory that is never accessed costs nothing.
        legal=np.empty(num_lanes * max(1, int(sizes.sum(axis=1).max())), np.int32),
        totals=np.zeros((num_lanes, num_roles), np.int64),
        base_places=base_places,
        legal_places=np.full((len(phases), most_columns * WORD_BITS), NO, np.int32),
        candidates=np.zeros((len(phases), most_columns * WORD_BITS), np.int32),
        columns=columns,
        legal_bits=np.empty((num_lanes, most_columns), np.uint64),
        leaf_of=np.zeros(num_lanes, np.int32),
        starts=lane_array(netlist.num_bases, width),
        ended=lane_array(len(phases), width),
        made=lane_array(num_watched, width),
        move_counts=np.zeros(netlist.num_inputs, np.int64),
        move_goals=np.zeros(netlist.num_inputs, np.int64),
        transpose_buffer=lane_array(WORD_BITS, width),
        num_inputs=netlist.num_inputs,
        first_input=netlist.first_input,
    )


def _num_candidates(plan: Schedule) -> list[int]:
    starts = plan.netlist.role_starts
    return [int((plan.legal[a:b] != NO).sum()) for a, b in pairwise(starts)]


def set_legal_places(batch: Batch, phases: Sequence[Schedule]) -> None:
    """Write the input of each candidate, and where its legality is stored."""
    for number, plan in enumerate(phases):
        starts = plan.netlist.role_starts
        for role, (first, last) in enumerate(pairwise(starts)):
            inputs = first + np.flatnonzero(plan.legal[first:last] != NO)
            start = int(batch.columns[number, role]) * WORD_BITS
            batch.candidates[number, start : start + len(inputs)] = inputs
            batch.legal_places[number, start : start + len(inputs)] = plan.legal[inputs]


Parts = tuple[LaneState, Tables, Batch]

_FRAME_BYTES = 1 << 15

# Untyped in numba.
_core: Any = core

# The type of the parts in frames, by the width of lane vectors. There must be only one type for a
# width. Machine code from the disk is selected by the type of the frame, which depends only on the
# width, so it would misread parts of another type.
_types: dict[int, Any] = {}


def pack_arguments(parts: Parts) -> LaneArray:
    """Return a frame with the addresses of `parts`. Its owner has to keep `parts` alive."""
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
    """`unpack_arguments(frame)`: return the parts that were packed into a frame."""

    def generate(*generator: Any) -> ir.Value:
        context, builder, sig, _ = generator
        return builder.load(_pointer(generator, context.get_value_type(sig.return_type)), align=8)

    return signature(_types[width_of(frame)], frame), generate


def _fill_plain(frame: LaneArray, parts: Parts) -> int:
    raise AssertionError(
        "frames of packed arguments can only be used with numba, which is switched off"
    )


@operation(_fill_plain)
def _fill(typing: object, frame: types.Array, parts: Any) -> Any:
    """`_fill(frame, parts)`: write the parts into a frame. Return its number of bytes."""

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
