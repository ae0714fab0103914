"""Splitting: turn wide gates into trees of narrow ones, so that equal parts become equal gates."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.and_gates import GateTable, contents, make_and, new_table
from gdl.circuit.netlist import BoolArray, ByteArray, IntArray, Netlist
from gdl.circuit.passes.rewrite import rename_outputs
from gdl.native.jit import lane_kernel

WIDEST = 4


def split(netlist: Netlist, most: int = WIDEST) -> Netlist:
    """Split gates so that each has at most `most` literals.

    Literals that do not depend on moves are grouped first, so that as much as possible is computed
    before moves are chosen. Apart from that, literals that many gates read are grouped first, so
    that gates share the groups.
    """
    num_nodes = netlist.first_gate + netlist.num_gates
    moved = dependents(netlist, slice(netlist.first_input, netlist.first_feedback))
    uses = np.bincount(netlist.literals, minlength=2 * num_nodes)
    order = np.lexsort((np.arange(2 * num_nodes), -uses, np.repeat(moved, 2)))
    rank = np.empty(2 * num_nodes, np.int32)
    rank[order] = np.arange(2 * num_nodes)
    mapping = np.zeros(num_nodes, np.int32)
    mapping[: netlist.first_gate] = 2 * np.arange(netlist.first_gate)
    table = new_table(
        netlist.first_gate,
        netlist.num_gates + len(netlist.literals),
        netlist.num_gates + 2 * len(netlist.literals),
    )
    gates = np.repeat(np.arange(netlist.num_gates), np.diff(netlist.offsets))
    ranks = rank[netlist.literals]
    leaves = order.astype(np.int32)[ranks[np.lexsort((ranks, gates))]]
    _split(netlist.offsets, leaves, mapping, table, np.zeros(most, np.int32))
    offsets, literals = contents(table)
    return replace(rename_outputs(netlist, mapping), offsets=offsets, literals=literals)


def dependents(netlist: Netlist, sources: slice | NDArray[np.int64]) -> BoolArray:
    """Return whether each node is a source or depends on one within a state, `[nodes]`."""
    marks = np.zeros(netlist.first_gate + netlist.num_gates, np.bool_)
    marks[sources] = True
    _mark_dependent(netlist.offsets, netlist.literals, marks.view(np.uint8))
    return marks


@lane_kernel
def _mark_dependent(offsets: IntArray, literals: IntArray, marks: ByteArray) -> None:
    first = len(marks) - (len(offsets) - 1)
    for gate in range(len(offsets) - 1):
        for k in range(offsets[gate], offsets[gate + 1]):
            marks[first + gate] |= marks[literals[k] >> 1]


@lane_kernel
def _split(
    offsets: IntArray, leaves: IntArray, mapping: IntArray, table: GateTable, buffer: IntArray
) -> None:
    """Create the gates as trees, with the literals of lowest rank grouped first.

    Args:
        offsets: `[G + 1]` where the literals of each gate begin.
        leaves: The literals of each gate, sorted by rank; overwritten.
        mapping: The new literal of each old node; filled in for the gates.
        buffer: Scratch buffer for the literals of a new gate.
    """
    most = len(buffer)
    first = len(mapping) - (len(offsets) - 1)
    for gate in range(len(offsets) - 1):
        start = offsets[gate]
        size = offsets[gate + 1] - start
        for k in range(start, start + size):
            leaves[k] = mapping[leaves[k] >> 1] ^ (leaves[k] & 1)
        while size > most:
            made = 0
            for done in range(0, size, most):
                length = min(most, size - done)
                leaves[start + made] = _make(table, leaves, start + done, length, buffer)
                made += 1
            size = made
        mapping[first + gate] = _make(table, leaves, start, size, buffer)


@lane_kernel
def _make(table: GateTable, leaves: IntArray, start: int, size: int, buffer: IntArray) -> int:
    for k in range(size):
        buffer[k] = leaves[start + k]
    return make_and(table, buffer, size)
