"""Support: which bases a function reads."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.native.jit import kernel_elsewhere as kernel
from gdl.circuit.netlist import IntArray
from gdl.structure.cofactors import Cofactors

BoolArray = NDArray[np.bool_]


class Cones(NamedTuple):
    """The gates of cofactors, and room to walk them."""

    offsets: IntArray
    literals: IntArray
    feedback: IntArray  # [F]
    first_gate: int
    first_input: int
    stamps: IntArray  # [nodes] the last walk that came by
    stack: IntArray
    walk: IntArray  # [1] the walk under way


def cones(functions: Cofactors) -> Cones:
    """Room for walks over all gates made so far."""
    table, netlist = functions.table, functions.netlist
    num_gates = int(table.sizes[0])
    num_nodes = netlist.first_gate + num_gates
    num_literals = int(table.offsets[num_gates])
    return Cones(
        offsets=table.offsets[: num_gates + 1],
        literals=table.literals[:num_literals],
        feedback=functions.feedback,
        first_gate=netlist.first_gate,
        first_input=netlist.first_input,
        stamps=np.zeros(num_nodes, np.int32),
        stack=np.zeros(2 * num_nodes + num_literals + len(functions.feedback) + 1, np.int32),
        walk=np.zeros(1, np.int32),
    )


def any_of(rows: BoolArray, axis: int) -> BoolArray:
    """As `rows.any(axis)`, an array for the type checker too."""
    found: BoolArray = np.asarray(rows.any(axis=axis))
    return found


def bases_read(room: Cones, literals: IntArray, num_bases: int) -> BoolArray:
    """`[B]` the bases that at least one of the literals depends on."""
    found = np.zeros(num_bases, np.bool_)
    mark_bases(room, np.unique(literals).astype(np.int32), found)
    return found


@kernel
def mark_bases(room: Cones, literals: IntArray, found: BoolArray) -> None:
    """Mark the bases that literals depend on, also by way of feedback."""
    room.walk[0] += 1
    for literal in literals:
        room.stack[0] = literal >> 1
        height = 1
        while height > 0:
            height = _walk_on(room, height - 1, found)


@kernel
def _walk_on(room: Cones, height: int, found: BoolArray) -> int:
    """Take the node at the top of the stack; the height of the stack with what it reads."""
    walk, stack, stamps = room.walk[0], room.stack, room.stamps
    node, first_feedback = stack[height], room.first_gate - len(room.feedback)
    if stamps[node] == walk:
        return height
    stamps[node] = walk
    if node >= room.first_gate:
        gate = node - room.first_gate
        for k in range(room.offsets[gate], room.offsets[gate + 1]):
            stack[height] = room.literals[k] >> 1
            height += stamps[stack[height]] != walk
    elif node >= first_feedback:
        stack[height] = room.feedback[node - first_feedback] >> 1
        height += 1
    elif 0 < node < room.first_input:
        found[node - 1] = True
    return int(height)
