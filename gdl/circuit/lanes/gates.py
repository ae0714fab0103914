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
from gdl.circuit.netlist import IntArray
from gdl.circuit.schedule import MAX_GATE_INPUTS, shape_of

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
    """`run_gates(values, runs, targets, sources, bounds)`: evaluates the gates of some runs.

    `values` `[slots]` is changed in place. `runs` `[U, 4]` as in `Schedule`; `targets` `[G]`, where
    in `values` each gate is kept, and `sources`, where its literals are, are in words: slot times
    width. `bounds` are the first run and the last one + 1.

    It is a function of LLVM's that the kernels call: they evaluate gates in half a dozen places.
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
    """The function of a module that evaluates runs of gates on vectors of so many words."""
    name = f"gdl.run_gates.{width}"
    if name in module.globals:
        return module.globals[name]
    function_type = ir.FunctionType(
        ir.VoidType(), [_INT64.as_pointer(), *(4 * [_INT32.as_pointer()])]
    )
    function = ir.Function(module, function_type, name)
    function.linkage = "linkonce_odr"  # modules that are linked have it in common
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
    """A switch over the shapes, and for each a loop in which sizes and signs are constants."""
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
    """The loop over a run of gates that have so many plain and so many complemented literals.

    Args:
        builder: Of the function that evaluates gates.
        width: Words of a vector.
        bounds: First gate, last gate + 1, where the first gate's sources begin.
        num_plain: Of each gate.
        num_complemented: Of each gate.
    """
    words, _, targets, sources, _ = builder.function.args
    first_gate, last_gate, first_source = bounds
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
