"""Evaluate segments of gates in all lanes, and find the fixpoint of feedback nodes.

Each shape of gate has a specialised loop. A playout goes from state to state. Some feedback nodes
stay true once they are true. For example, if stones are never removed, points that they connect
remain connected. The search for the values of such nodes starts from their old values, and visits
only blocks that read something that has changed. For all other nodes, it starts from false.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

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
    vector_alignment,
    vector_type,
    width_of,
    zero,
)
from gdl.circuit.netlist import IntArray
from gdl.circuit.schedule import MAX_GATE_INPUTS, Segment, shape_of
from gdl.native.jit import lane_kernel

_INT64, _INT32 = ir.IntType(64), ir.IntType(32)
_SHAPES = [
    (num_plain, size - num_plain)
    for size in range(1, MAX_GATE_INPUTS + 1)
    for num_plain in range(size + 1)
]


def _run_gates_plain(
    values: LaneArray,
    runs: IntArray,
    targets: IntArray,
    sources: IntArray,
    bounds: IntArray,
) -> None:
    words = values["words"]
    width = words.shape[1]
    for shape, first, last, source in runs[slice(*bounds.tolist())].tolist():
        num_plain, num_complemented = divmod(shape, MAX_GATE_INPUTS + 1)
        size = num_plain + num_complemented
        for gate in range(first, last):
            start = source + (gate - first) * size
            rows = sources[start : start + size] // width
            plain = np.bitwise_and.reduce(words[rows[:num_plain]], axis=0)
            complemented = np.bitwise_or.reduce(words[rows[num_plain:]], axis=0)
            words[targets[gate] // width] = plain & ~complemented


@operation(_run_gates_plain)
def run_gates(
    typing: object,
    values: types.Array,
    runs: types.Array,
    targets: types.Array,
    sources: types.Array,
    bounds: types.Array,
) -> Any:
    """`run_gates(values, runs, targets, sources, bounds)`: evaluate the gates of some runs.

    Change `values`, `[slots]`, in place. `runs`, `[U, 4]`, has the format of `Schedule`. `targets`,
    `[G]`, says where in `values` each gate is stored, and `sources` where its literals are, both in
    words: slot times width. `bounds` are the first run and the index after the last run.

    The code is not inlined, but an LLVM function that the kernels call, because they evaluate gates
    in half a dozen places.
    """

    def generate(*generator: Any) -> ir.Value:
        context, builder, sig, _ = generator
        function = _gates_function(builder.module, width_of(sig.args[0]))
        arrays = [
            builder.bitcast(element_pointer(generator, index), pointer)
            for index, pointer in enumerate(function.function_type.args)
        ]
        builder.call(function, arrays)
        return context.get_dummy_value()

    return signature(types.void, values, runs, targets, sources, bounds), generate


def _gates_function(module: ir.Module, width: int) -> ir.Function:
    name = f"gdl.run_gates.{width}"
    if name in module.globals:
        return module.globals[name]
    function_type = ir.FunctionType(
        ir.VoidType(), [_INT64.as_pointer(), *(4 * [_INT32.as_pointer()])]
    )
    function = ir.Function(module, function_type, name)
    function.linkage = "linkonce_odr"  # linked modules share one copy
    function.attributes.add("noinline")
    builder = ir.IRBuilder(function.append_basic_block())
    _, runs, _, _, ends = function.args

    def number(table: ir.Value, index: ir.Value, offset: int) -> ir.Value:
        place = builder.add(index, ir.Constant(_INT64, offset))
        return builder.sext(builder.load(builder.gep(table, [place])), _INT64)

    zero = ir.Constant(_INT64, 0)
    first_run, last_run = number(ends, zero, 0), number(ends, zero, 1)
    with cgutils.for_range(builder, builder.sub(last_run, first_run)) as loop:
        entry = builder.mul(builder.add(first_run, loop.index), ir.Constant(_INT64, 4))
        shape, *bounds = (number(runs, entry, offset) for offset in range(4))
        _generate_run(builder, width, shape, bounds)
    builder.ret_void()
    return function


def _generate_run(
    builder: ir.IRBuilder, width: int, shape: ir.Value, bounds: list[ir.Value]
) -> None:
    done = builder.append_basic_block("done")
    switch = builder.switch(shape, done)
    for num_plain, num_complemented in _SHAPES:
        block = builder.append_basic_block(f"shape_{num_plain}_{num_complemented}")
        switch.add_case(ir.Constant(_INT64, shape_of(num_plain, num_complemented)), block)
        builder.position_at_end(block)
        _generate_loop(builder, width, bounds, num_plain, num_complemented)
        builder.branch(done)
    builder.position_at_end(done)


def _generate_loop(
    builder: ir.IRBuilder,
    width: int,
    bounds: list[ir.Value],
    num_plain: int,
    num_complemented: int,
) -> None:
    words, _, targets, sources, _ = builder.function.args
    first_gate, last_gate, first_source = bounds
    size = num_plain + num_complemented

    def place(table: ir.Value, index: ir.Value) -> ir.Value:
        # Word offsets are never negative, and zero extension costs nothing.
        offset = builder.zext(builder.load(builder.gep(table, [index])), _INT64)
        return builder.bitcast(builder.gep(words, [offset]), vector_type(width).as_pointer())

    with cgutils.for_range(builder, builder.sub(last_gate, first_gate)) as loop:
        first = builder.add(first_source, builder.mul(loop.index, ir.Constant(_INT64, size)))
        literals = [
            builder.load(
                place(sources, builder.add(first, ir.Constant(_INT64, index))),
                align=vector_alignment(width),
            )
            for index in range(size)
        ]
        result = _generate_and(builder, literals[:num_plain], literals[num_plain:])
        target = place(targets, builder.add(first_gate, loop.index))
        builder.store(result, target, align=vector_alignment(width))


def _generate_and(
    builder: ir.IRBuilder, plain: list[ir.Value], complemented: list[ir.Value]
) -> ir.Value:
    terms = list(plain)
    if complemented:
        nothing = complemented[0]
        for vector in complemented[1:]:
            nothing = builder.or_(nothing, vector)
        terms.append(builder.not_(nothing))
    result = terms[0]
    for vector in terms[1:]:
        result = builder.and_(result, vector)
    return result


# numba cannot use our enumerations. For numba, numpy's integers are constants of a common type, but
# each of Python's integers has a type of its own, so `run_segment` would be compiled for each.
BEFORE, _, TERMINAL, LEGAL, GOAL, NEXT = (cast("int", np.int64(number)) for number in Segment)


def _call_code_plain(address: int, values: LaneArray) -> None:
    raise AssertionError("compiled gates can only be used with numba, which is switched off")


@operation(_call_code_plain)
def call_code(typing: object, address: types.Integer, values: types.Array) -> Any:
    """`call_code(address, values)`: run the machine code of gates on the values."""

    def generate(*generator: Any) -> ir.Value:
        context, builder, _, args = generator
        pointer = builder.bitcast(element_pointer(generator, 1), ir.IntType(8).as_pointer())
        function = ir.FunctionType(ir.VoidType(), [ir.IntType(8).as_pointer()])
        builder.call(builder.inttoptr(args[0], function.as_pointer()), [pointer])
        return context.get_dummy_value()

    return signature(types.void, types.int64, values), generate


@lane_kernel
def run_segment(values: LaneArray, tables: Tables, phase: int, segment: int) -> None:
    """Evaluate the gates of one segment in all lanes."""
    code = tables.code[phase, segment]
    if code != TABLE_GATES:
        call_code(code, values)
    else:
        bounds = tables.segments[phase, segment]
        run_gates(values, tables.runs, tables.targets, tables.sources, bounds)


@lane_kernel
def find_fixpoint(values: LaneArray, tables: Tables, phase: int, kept: LaneVector) -> int:
    """Set the feedback nodes to their least fixpoint. Return the number of passes that it took.

    A pass evaluates the blocks that read a node that has changed. Passes go over the blocks in
    ascending and descending order by turns, until nothing changes.

    Args:
        phase: The phase of the states in the lanes.
        kept: Lanes in which each node still has its value from the preceding state.
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
    """Evaluate the nodes of a block. Return whether any of them has become true.

    If so, mark the blocks that read these nodes, so that these blocks are evaluated again.

    Args:
        slot: The slot of the block's first node. The slots of its other nodes follow.
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
