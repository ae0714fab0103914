"""Evaluating a schedule's gates in all lanes, one specialised loop for each shape of gate."""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.core import cgutils

from gdl.circuit.lanes.vectors import (
    LaneArray,
    element_pointer,
    operation,
    signature,
    vector_alignment,
    vector_type,
    width_of,
)
from gdl.circuit.native.jit import lane_kernel
from gdl.circuit.netlist import IntArray
from gdl.circuit.schedule import MAX_GATE_INPUTS, shape_of

_INT64 = ir.IntType(64)
_SHAPES = [
    (num_plain, size - num_plain)
    for size in range(1, MAX_GATE_INPUTS + 1)
    for num_plain in range(size + 1)
]


@lane_kernel
def run_gates(
    values: LaneArray,
    runs: IntArray,
    targets: IntArray,
    sources: IntArray,
    first_run: int,
    last_run: int,
) -> None:
    """Evaluate the gates of some runs.

    Args:
        values: `[slots]` changed in place.
        runs: `[U, 4]` as in `Schedule`.
        targets: `[G]` where in `values` each gate is kept, in words: slot times width.
        sources: Where in `values` the gates' literals are, in words.
        first_run: The first run to evaluate.
        last_run: Past the last one.
    """
    for run in range(first_run, last_run):
        _run_of_gates(values, runs, targets, sources, run)


def _run_plain(
    values: LaneArray, runs: IntArray, targets: IntArray, sources: IntArray, run: int
) -> None:
    shape, first, last, source = runs[run].tolist()
    num_plain, num_complemented = divmod(shape, MAX_GATE_INPUTS + 1)
    words = values["words"]
    width = words.shape[1]
    size = num_plain + num_complemented
    for gate in range(first, last):
        start = source + (gate - first) * size
        rows = sources[start : start + size] // width
        plain = np.bitwise_and.reduce(words[rows[:num_plain]], axis=0)
        complemented = np.bitwise_or.reduce(words[rows[num_plain:]], axis=0)
        words[targets[gate] // width] = plain & ~complemented


@operation(_run_plain)
def _run_of_gates(
    typing: object,
    values: types.Array,
    runs: types.Array,
    targets: types.Array,
    sources: types.Array,
    run: types.Integer,
) -> Any:
    """`_run_of_gates(values, runs, targets, sources, run)`: the gates of one run.

    Written as LLVM code: a switch over the shapes, and for each shape a loop in which the number
    of literals and their signs are constants.
    """

    def generate(*generator: Any) -> ir.Value:
        context, builder, _, _ = generator
        shape, *bounds = _run_entries(generator)
        done = builder.append_basic_block("done")
        switch = builder.switch(shape, done)
        for num_plain, num_complemented in _SHAPES:
            block = builder.append_basic_block(f"shape_{num_plain}_{num_complemented}")
            switch.add_case(ir.Constant(_INT64, shape_of(num_plain, num_complemented)), block)
            builder.position_at_end(block)
            _generate_loop(generator, bounds, num_plain, num_complemented)
            builder.branch(done)
        builder.position_at_end(done)
        return context.get_dummy_value()

    return signature(types.void, values, runs, targets, sources, types.int64), generate


def _run_entries(generator: Any) -> list[ir.Value]:
    """The four numbers that `Schedule.runs` holds for the run."""
    _, builder, _, args = generator
    entry = builder.mul(args[4], ir.Constant(_INT64, 4))
    places = [builder.add(entry, ir.Constant(_INT64, index)) for index in range(4)]
    runs = element_pointer(generator, 1)
    return [builder.sext(builder.load(builder.gep(runs, [p])), _INT64) for p in places]


def _generate_loop(
    generator: Any, bounds: list[ir.Value], num_plain: int, num_complemented: int
) -> None:
    """The loop over a run of gates that have so many plain and so many complemented literals.

    Args:
        generator: Of the intrinsic.
        bounds: First gate, last gate + 1, where the first gate's sources begin.
        num_plain: Of each gate.
        num_complemented: Of each gate.
    """
    _, builder, sig, _ = generator
    width = width_of(sig.args[0])
    values, _, targets, sources = (element_pointer(generator, index) for index in range(4))
    first_gate, last_gate, first_source = bounds
    words = builder.bitcast(values, _INT64.as_pointer())
    size = num_plain + num_complemented

    def place(table: ir.Value, index: ir.Value) -> ir.Value:
        # Word offsets are never negative: to extend them by zeros costs nothing.
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
    """The AND of some vectors and of the complements of others."""
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
