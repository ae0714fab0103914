"""Splitting: wide gates become trees of narrow ones, alike where their literals are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.jit import kernel
from gdl.circuit.netlist import Netlist
from gdl.circuit.passes.rewrite import rename_outputs
from gdl.circuit.table import GateTable, contents, make_and, new_table

IntArray = NDArray[np.int32]
ByteArray = NDArray[np.uint8]

WIDEST = 4


def split(netlist: Netlist, most: int = WIDEST) -> Netlist:
    """The netlist with at most `most` literals in a gate.

    Literals that do not depend on moves are grouped first, so that as much as can be is known
    before moves are chosen; and those that more gates read, so that their groups are shared.
    """
    num_nodes = netlist.first_gate + netlist.num_gates
    moved = np.zeros(num_nodes, np.uint8)
    moved[netlist.first_input : netlist.first_feedback] = 1
    _mark_moved(netlist.offsets, netlist.literals, moved)
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
    by_rank = order.astype(np.int32)
    _split(netlist.offsets, rank[netlist.literals], by_rank, mapping, table, most)
    offsets, literals = contents(table)
    return replace(rename_outputs(netlist, mapping), offsets=offsets, literals=literals)


@kernel
def _mark_moved(offsets: IntArray, literals: IntArray, moved: ByteArray) -> None:
    """Mark the gates that depend on moves."""
    first = len(moved) - (len(offsets) - 1)
    for gate in range(len(offsets) - 1):
        for k in range(offsets[gate], offsets[gate + 1]):
            moved[first + gate] |= moved[literals[k] >> 1]


@kernel
def _split(
    offsets: IntArray,
    ranks: IntArray,
    by_rank: IntArray,
    mapping: IntArray,
    table: GateTable,
    most: int,
) -> None:
    """Make the gates as trees: the literals of least rank are the lowest leaves."""
    first = len(mapping) - (len(offsets) - 1)
    leaves = np.empty(len(ranks) + 1, np.int32)
    buffer = np.empty(most, np.int32)
    for gate in range(len(offsets) - 1):
        size = offsets[gate + 1] - offsets[gate]
        leaves[:size] = np.sort(ranks[offsets[gate] : offsets[gate + 1]])
        for k in range(size):
            literal = by_rank[leaves[k]]
            leaves[k] = mapping[literal >> 1] ^ (literal & 1)
        while size > most:
            made = 0
            for start in range(0, size, most):
                length = min(most, size - start)
                buffer[:length] = leaves[start : start + length]
                leaves[made] = make_and(table, buffer, length)
                made += 1
            size = made
        buffer[:size] = leaves[:size]
        mapping[first + gate] = make_and(table, buffer, size)
