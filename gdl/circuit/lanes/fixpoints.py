"""The lane kernels that evaluate segments of gates, and find the fixpoint of feedback nodes.

A playout goes from state to state, and what stones connect that stay is connected in the next state
as well. Such nodes are sought from what they were, and only in blocks that read what has changed;
the others from false on.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types

from gdl.circuit.lanes.gates import run_gates
from gdl.circuit.lanes.tables import TABLE_GATES, Tables
from gdl.circuit.lanes.vectors import (
    LaneArray,
    LaneVector,
    any_lane,
    at,
    element_pointer,
    load,
    load_literal,
    operation,
    put,
    signature,
    store,
    zero,
)
from gdl.circuit.native.jit import lane_kernel
from gdl.circuit.schedule import Segment

# numba does not know enumerations of ours. numpy's integers are constants to it, but not types of
# their own, as Python's are: `run_segment` would be compiled once for each.
BEFORE, _, TERMINAL, LEGAL, GOAL, NEXT = (cast("int", np.int64(number)) for number in Segment)


def _call_code_plain(address: int, values: LaneArray) -> None:
    raise AssertionError("compiled gates, but numba is switched off")


@operation(_call_code_plain)
def call_code(typing: object, address: types.Integer, values: types.Array) -> Any:
    """`call_code(address, values)`: runs compiled gates on the values."""

    def generate(*generator: Any) -> ir.Value:
        context, builder, _, args = generator
        pointer = builder.bitcast(element_pointer(generator, 1), ir.IntType(8).as_pointer())
        function = ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer()])
        builder.call(builder.inttoptr(args[0], function.as_pointer()), [pointer])
        return context.get_dummy_value()

    return signature(types.void, types.int64, values), generate


@lane_kernel
def run_segment(values: LaneArray, tables: Tables, phase: int, segment: int) -> None:
    """Evaluate the gates of one segment."""
    code = tables.code[phase, segment]
    if code != TABLE_GATES:
        call_code(code, values)
    else:
        bounds = tables.segments[phase, segment]
        run_gates(values, tables.runs, tables.targets, tables.sources, bounds)


@lane_kernel
def find_fixpoint(values: LaneArray, tables: Tables, phase: int, kept: LaneVector) -> int:
    """Set the feedback nodes to their least fixpoint; how many rounds that took.

    Blocks of them are evaluated forwards and backwards in turn, until none reads what has changed.

    Args:
        values: The lanes.
        tables: The game.
        phase: That of the states in the lanes.
        kept: Lanes where each node has its value of the state before.
    """
    blocks = tables.blocks
    first, last = int(blocks.starts[phase]), int(blocks.starts[phase + 1])
    if first == last:
        return 0
    run_segment(values, tables, phase, BEFORE)
    if any_lane(~kept) or not blocks.is_kept[phase]:
        for block in range(first, last):
            put(blocks.is_waiting, block, 1)
        for node in range(at(blocks.nodes, first), at(blocks.nodes, last)):
            slot = blocks.first_slot + node - at(blocks.nodes, first)
            old = kept if at(tables.is_kept, node) else zero(values)
            store(values, slot, load(values, slot) & old)
    else:
        for block in range(first, last):
            put(blocks.is_waiting, block, at(blocks.is_affected, block))
    rounds = 0
    changes = True
    while changes:
        changes = False
        for index in range(last - first):
            block = last - 1 - index if rounds & 1 else first + index
            if at(blocks.is_waiting, block):
                slot = blocks.first_slot + at(blocks.nodes, block) - at(blocks.nodes, first)
                changes = changes | evaluate_block(values, tables, block, slot)
        rounds += 1
    return rounds


@lane_kernel
def evaluate_block(values: LaneArray, tables: Tables, block: int, slot: int) -> bool:
    """Evaluate the nodes of a block; whether some have become true: then its readers wait.

    Args:
        values: The lanes.
        tables: The game.
        block: Which.
        slot: That of the first of its nodes; those of the others follow.
    """
    blocks = tables.blocks
    put(blocks.is_waiting, block, 0)
    code = at(blocks.code, block)
    if code != TABLE_GATES:
        call_code(code, values)
    else:
        run_gates(values, tables.runs, tables.targets, tables.sources, blocks.runs[block])
    changed = zero(values)
    for node in range(at(blocks.nodes, block), at(blocks.nodes, block + 1)):
        old, defined = load(values, slot), load_literal(values, at(tables.feedback, node))
        changed = changed | (defined & ~old)
        store(values, slot, old | defined)
        slot += 1
    if not any_lane(changed):
        return False
    for index in range(at(blocks.reader_starts, block), at(blocks.reader_starts, block + 1)):
        put(blocks.is_waiting, at(blocks.readers, index), 1)
    return True
