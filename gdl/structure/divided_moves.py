"""Divide moves by kind: replace the inputs of a netlist by several inputs for each move."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from gdl.circuit.and_gates import FULL, GateTable, contents, make_and, new_table, rebuild
from gdl.circuit.netlist import NO, YES, IntArray, Netlist
from gdl.circuit.passes.cone import drop_unused
from gdl.circuit.passes.rewrite import flatten, rename_outputs, renamed
from gdl.circuit.passes.split import split
from gdl.structure.cofactors import cone_of

EXPOSED, TAKES = 1, 2  # a kind is the sum of what is true of a move
ALL_KINDS = 0b1111


class KindGates(NamedTuple):
    """The kinds of `I` moves as functions of the bases, given as gates of a netlist's table."""

    offsets: IntArray
    literals: IntArray
    takes: IntArray  # [I] literals
    exposed: IntArray  # [I] literals


class DividedMove(NamedTuple):
    """A move of some kinds. It becomes an input."""

    move: int  # the old input
    kinds: int  # bit k is set if moves of kind k belong to it


def divide_moves(netlist: Netlist, gates: KindGates, moves: Sequence[DividedMove]) -> Netlist:
    """Return the netlist with divided moves as its inputs, in this order, and without percepts.

    For each old input, every kind must belong to exactly one of the new inputs. The netlist must
    not have feedback.
    """
    first_input, first_gate = netlist.first_input, netlist.first_input + len(moves)
    num_gates = netlist.num_gates + len(gates.offsets) + 5 * len(moves) + netlist.num_inputs
    num_literals = len(netlist.literals) + len(gates.literals) + 16 * len(moves)
    table = new_table(first_gate, num_gates, num_literals)
    parts = defaultdict(list)
    for number, move in enumerate(moves):
        parts[move.move].append(2 * (first_input + number))
    sources = 2 * np.arange(netlist.first_gate, dtype=np.int32)
    for old in range(netlist.num_inputs):
        sources[first_input + old] = _any_of(table, parts[old])
    mapping = _added(table, sources, netlist.offsets, netlist.literals)
    sources[first_input:] = NO  # kinds do not depend on moves
    wanted = np.concatenate([gates.takes, gates.exposed])
    kinds = _added(table, sources, gates.offsets, gates.literals, wanted)
    takes, exposed = renamed(kinds, gates.takes), renamed(kinds, gates.exposed)
    moved = rename_outputs(netlist, mapping)
    legal = [
        _all_of(
            table,
            [
                int(moved.legal[move.move]),
                _is_of(table, move.kinds, int(takes[move.move]), int(exposed[move.move])),
            ],
        )
        for move in moves
    ]
    offsets, literals = contents(table)
    divided = replace(
        moved,
        inputs=tuple(netlist.inputs[move.move] for move in moves),
        legal=np.array(legal, np.int32),
        offsets=offsets,
        literals=literals,
        sees=(),
    )
    return split(flatten(drop_unused(divided)))


def _is_of(table: GateTable, kinds: int, takes: int, exposed: int) -> int:
    """Return the literal that says whether a move is of one of the given kinds."""
    if kinds == ALL_KINDS:
        return YES
    products = []
    for is_taking in (0, 1):
        which = kinds >> 2 * is_taking & 3
        literals = [takes ^ 1 ^ is_taking] + [exposed ^ 1 ^ (which >> 1)] * (which != 3)
        products += [_all_of(table, literals)] * (which != 0)
    return _any_of(table, products)


def _added(
    table: GateTable,
    sources: IntArray,
    offsets: IntArray,
    literals: IntArray,
    wanted: IntArray | None = None,
) -> IntArray:
    """Add gates to a table, and return the literal of each old node.

    Args:
        sources: `[first_gate]` the literal of each source.
        wanted: Add only the gates that these literals depend on.
    """
    mapping = np.zeros(len(sources) + len(offsets) - 1, np.int32)
    mapping[: len(sources)] = sources
    kept = np.ones(len(offsets) - 1, np.int32)
    if wanted is not None:
        needed, _, _ = cone_of((offsets, literals), np.zeros(0, np.int32), len(sources), wanted)
        kept[:] = needed[len(sources) :]
    buffers = np.empty((2, len(literals) + 1), np.int32)
    assert rebuild(offsets, literals, mapping, kept, table, buffers), "the table has room"
    return mapping


def _all_of(table: GateTable, literals: Sequence[int]) -> int:
    made = make_and(table, np.array([*literals, YES], np.int32), len(literals))
    assert made != FULL, "the table has room"
    return int(made)


def _any_of(table: GateTable, literals: Sequence[int]) -> int:
    return _all_of(table, [literal ^ 1 for literal in literals]) ^ 1
