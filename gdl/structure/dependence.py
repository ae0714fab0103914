"""Dependence: which bases and moves the next value of a base depends on, and each move's legality.

A base depends on a move of a role if it follows another way after that move than after most moves
of the role. Bases that depend on no move at all, nor on others that do, run on their own: step
counters, whose turn it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
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
    """The OR along an axis, as an array for the type checker too."""
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


@dataclass(frozen=True, eq=False)
class Dependence:
    """Dependence within a game. `B` bases, `I` inputs."""

    next_reads: BoolArray  # [B, B] row b: the bases that the next value of base b depends on
    moves: BoolArray  # [I, B] whether base b depends on the move of input i
    legal_reads: BoolArray  # [I, B] the bases that the legality of input i depends on
    is_autonomous: BoolArray  # [B] whether a base runs on its own


def dependence(functions: Cofactors, room: Cones) -> Dependence:
    """Find what depends on what in a game."""
    netlist = functions.netlist
    num_bases = netlist.num_bases
    roles = [(a, b) for a, b in pairwise(netlist.role_starts.tolist()) if a < b]
    moves = np.zeros((netlist.num_inputs, num_bases), np.bool_)
    next_reads = np.ones((num_bases, num_bases), np.bool_)
    for base in range(num_bases):
        for first, last in roles:
            column = functions.following[first:last, base]
            kinds, counts = np.unique(column, return_counts=True)
            counts = 2 * counts + (kinds == 2 * (1 + base))  # of two, it is usual to stay as it is
            moves[first:last, base] = column != kinds[counts.argmax()]
            next_reads[base] &= bases_read(room, kinds, num_bases)
        if not roles:
            next_reads[base] = bases_read(room, netlist.next[[base]], num_bases)
    legal_reads = np.zeros((netlist.num_inputs, num_bases), np.bool_)
    for index in range(netlist.num_inputs):
        legal_reads[index] = bases_read(room, functions.legal[[index]], num_bases)
    return Dependence(next_reads, moves, legal_reads, _autonomous(next_reads, moves))


def _autonomous(next_reads: BoolArray, moves: BoolArray) -> BoolArray:
    """The largest set of bases that depend on no move and on none outside of the set."""
    found = ~any_of(moves, axis=0)
    num = -1
    while num != (num := int(found.sum())):
        found &= ~any_of(next_reads[:, ~found], axis=1)
    return found
