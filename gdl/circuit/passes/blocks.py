"""Blocks: feedback nodes that are near to each other, with gates of their own.

A fixpoint is found block by block; a block is evaluated again only if a feedback node has changed
that it reads. So a block must have all it needs: gates that depend on feedback are not shared
between blocks. Within one, nodes that come before are read as the gates that define them.

This is chaotic iteration: P. and R. Cousot, Automatic synthesis of optimal invariant assertions,
1977. Nodes that stay true (see `gdl.circuit.passes.growth`) change along a few long paths from one
state to the next; they stand in the order in which the grounder derived them, neighbours side by
side, in blocks of about a row of a board. The others are sought from false on, and change
everywhere: of a whole group of them, half is found from what was known of the other half, and then
that from those.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.native.jit import kernel
from gdl.circuit.netlist import IntArray, Netlist
from gdl.circuit.passes.rewrite import outputs, rename_outputs
from gdl.circuit.table import ZERO

BoolArray = NDArray[np.bool_]

SIZE = 14  # feedback nodes of a block that stay true


class _Gates(NamedTuple):
    """What the kernels read: the gates, and which nodes depend on feedback."""

    offsets: IntArray  # [G + 1]
    literals: IntArray
    moves: BoolArray  # [nodes] whether they depend on feedback
    first_feedback: int
    first_gate: int


class _Copies(NamedTuple):
    """Gates for each feedback node, those of a block side by side. `C` copies."""

    blocks: list[IntArray]  # the feedback nodes of each, counted from the first
    gates: IntArray  # [C] nodes
    starts: IntArray  # [F + 1] where those of each feedback node begin, in the order of the blocks
    offsets: IntArray  # [C + 1]
    literals: IntArray  # of old nodes; from the number of these on, of copies
    defined: IntArray  # [F] what defines each feedback node
    is_read: BoolArray  # [F] whether a feedback node is kept: it stays true, or a copy reads it


def separate_blocks(netlist: Netlist, size: int = SIZE) -> Netlist:
    """The netlist with feedback in blocks. It is the last pass: equal gates may be several now.

    Args:
        netlist: Not changed.
        size: The most feedback nodes of a block that stay true.
    """
    if not len(netlist.feedback):
        return netlist
    gates = _gates(netlist)
    copies = _copied(netlist, gates, _blocks(netlist, gates, size))
    return _assembled(netlist, gates, copies)


def _gates(netlist: Netlist) -> _Gates:
    moves = np.zeros(netlist.first_gate + netlist.num_gates, np.bool_)
    moves[netlist.first_feedback : netlist.first_gate] = True
    mark_dependent(netlist.offsets, netlist.literals, netlist.first_gate, moves)
    first = netlist.first_feedback, netlist.first_gate
    return _Gates(netlist.offsets, netlist.literals, moves, *first)


def _blocks(netlist: Netlist, gates: _Gates, size: int) -> list[IntArray]:
    """The nodes of each block: each reads one before it there, or is read by it."""
    cones = _Cones(netlist, gates)
    grows = _grows(netlist)
    reads: list[set[int]] = []
    blocks: list[list[int]] = []
    for node, literal in enumerate(netlist.feedback.tolist()):
        found = cones.find(literal >> 1, node + 1)
        reads.append(set((found[found < gates.first_gate] - gates.first_feedback).tolist()))
        here = blocks[-1] if node and grows[node] == grows[node - 1] else []
        is_near = any(other in reads[node] or node in reads[other] for other in here)
        if is_near and (not grows[node] or len(here) < size):
            here.append(node)
        else:
            blocks.append([node])
    return [
        np.array(block if grows[block[0]] else _halves(block, reads), np.int32) for block in blocks
    ]


def _grows(netlist: Netlist) -> BoolArray:
    if len(netlist.growth):
        return netlist.growth >= 0
    return np.zeros(len(netlist.feedback), np.bool_)


def _halves(nodes: list[int], reads: list[set[int]]) -> list[int]:
    """Nodes in the order in which first those come that none before them reads."""
    read: set[int] = set()
    first = []
    for node in nodes:
        if node not in read:
            first.append(node)
            read |= reads[node]
    chosen = set(first)
    return [*first, *(node for node in nodes if node not in chosen)]


class _Cones:
    """Finds what nodes need that depends on feedback."""

    def __init__(self, netlist: Netlist, gates: _Gates) -> None:
        self._gates = gates
        self._stamps = np.zeros(len(gates.moves), np.int32)
        self._found = np.zeros(len(gates.moves) + 1, np.int32)
        self._stack = np.zeros(len(netlist.literals) + len(gates.moves) + 1, np.int32)

    def find(self, root: int, stamp: int) -> IntArray:
        """The nodes that were not found yet with the same stamp, each after its sources."""
        num = _find_cone(self._gates, root, stamp, self._stamps, self._stack, self._found)
        return self._found[:num].copy()


def _copied(netlist: Netlist, gates: _Gates, blocks: list[IntArray]) -> _Copies:
    cones = _Cones(netlist, gates)
    found = [
        cones.find(literal >> 1, stamp + 1)
        for stamp, block in enumerate(blocks)
        for literal in netlist.feedback[block].tolist()
    ]
    of_nodes = [nodes[nodes >= gates.first_gate] for nodes in found]
    order = np.concatenate(of_nodes)
    sizes = np.diff(netlist.offsets)[order - gates.first_gate]
    offsets = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32)
    copies = _Copies(
        blocks=blocks,
        gates=order,
        starts=np.concatenate([[0], np.cumsum([len(x) for x in of_nodes])]).astype(np.int32),
        offsets=offsets,
        literals=np.zeros(offsets[-1], np.int32),
        defined=netlist.feedback.copy(),
        is_read=_grows(netlist),
    )
    mapping = 2 * np.arange(len(gates.moves), dtype=np.int32)
    ends = np.cumsum([len(block) for block in blocks]).astype(np.int32)
    _copy(gates, np.concatenate(blocks), ends, copies[1:], mapping)
    return copies


def _assembled(netlist: Netlist, gates: _Gates, copies: _Copies) -> Netlist:
    """The netlist of gates without feedback, copies, and what else reads feedback, in this order.

    Feedback nodes that are read by no copy, and whose last value is of no use, are gone: all read
    the gate that defines them.
    """
    first_feedback, first_gate = gates.first_feedback, gates.first_gate
    num_old, num_copies = len(gates.moves), len(copies.gates)
    order = np.concatenate(copies.blocks)
    kept = order[copies.is_read[order]]
    is_needed = np.zeros(num_old, np.bool_)
    is_needed[outputs(netlist) >> 1] = True
    mark_needed(gates.offsets, gates.literals, first_gate, is_needed)
    still = np.flatnonzero(~gates.moves[first_gate:])
    others = np.flatnonzero(gates.moves[first_gate:] & is_needed[first_gate:])
    mapping = np.zeros(num_old + num_copies, np.int32)
    mapping[:first_feedback] = 2 * np.arange(first_feedback)
    mapping[first_feedback + kept] = 2 * (first_feedback + np.arange(len(kept)))
    next_gate = first_feedback + len(kept)
    for nodes in (first_gate + still, np.arange(num_old, num_old + num_copies), first_gate + others):
        mapping[nodes] = 2 * (next_gate + np.arange(len(nodes)))
        next_gate += len(nodes)
    gone = np.flatnonzero(~copies.is_read)
    defined = _renamed(mapping, copies.defined)
    mapping[first_feedback + gone] = defined[gone]
    numbers = np.concatenate([[0], np.cumsum([copies.is_read[x].sum() for x in copies.blocks])])
    parts = [
        _some(netlist.offsets, netlist.literals, still),
        (np.diff(copies.offsets), copies.literals),
        _some(netlist.offsets, netlist.literals, others),
    ]
    sizes = np.concatenate([sizes for sizes, _ in parts])
    return replace(
        rename_outputs(netlist, mapping),
        offsets=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32),
        literals=_renamed(mapping, np.concatenate([literals for _, literals in parts])),
        feedback=defined[kept],
        growth=netlist.growth[kept] if len(netlist.growth) else netlist.growth,
        blocks=numbers.astype(np.int32),
    )


def _renamed(mapping: IntArray, literals: IntArray) -> IntArray:
    renamed: IntArray = (mapping[literals >> 1] ^ (literals & 1)).astype(np.int32)
    return renamed


def _some(
    offsets: IntArray, literals: IntArray, gates: NDArray[np.integer]
) -> tuple[IntArray, IntArray]:
    """The sizes and the literals of some gates."""
    sizes = np.diff(offsets)[gates]
    places = np.repeat(offsets[gates] - np.cumsum(sizes) + sizes, sizes) + np.arange(sizes.sum())
    return sizes, literals[places]


@kernel
def mark_dependent(offsets: IntArray, literals: IntArray, first_gate: int, marks: BoolArray) -> None:
    """Mark the gates that depend on a node that is marked."""
    for gate in range(len(offsets) - 1):
        for k in range(offsets[gate], offsets[gate + 1]):
            marks[first_gate + gate] |= marks[literals[k] >> 1]


@kernel
def mark_needed(offsets: IntArray, literals: IntArray, first_gate: int, marks: BoolArray) -> None:
    """Mark the nodes that a marked one depends on, other than by way of feedback."""
    for gate in range(len(offsets) - 2, -1, -1):
        for k in range(offsets[gate], offsets[gate + 1]):
            marks[literals[k] >> 1] |= marks[first_gate + gate]


@kernel
def _find_cone(
    gates: _Gates, root: int, stamp: int, stamps: IntArray, stack: IntArray, found: IntArray
) -> int:
    """Find the moving nodes that one needs and that have no such stamp; how many they are.

    They get the stamp. On the stack, a negative number is a gate all of whose sources are found.
    """
    num, height = ZERO, ZERO
    stack[0] = root
    while height >= 0:
        node = stack[height]
        height -= 1
        if node < 0:
            found[num] = -node
            num += 1
        elif gates.moves[node] and stamps[node] != stamp:
            stamps[node] = stamp
            if node < gates.first_gate:
                found[num] = node
                num += 1
                continue
            height += 1
            stack[height] = -node
            gate = node - gates.first_gate
            for k in range(gates.offsets[gate], gates.offsets[gate + 1]):
                height += 1
                stack[height] = gates.literals[k] >> 1
    return int(num)


@kernel
def _copy(
    gates: _Gates,
    order: IntArray,
    ends: IntArray,
    copies: tuple[IntArray, IntArray, IntArray, IntArray, IntArray, BoolArray],
    mapping: IntArray,
) -> None:
    """Write the literals of the copies.

    Args:
        gates: The gates that there are.
        order: `[F]` the feedback nodes, block by block.
        ends: `[K]` where each block ends there.
        copies: As `_Copies` without blocks; literals, defined and is_read are filled in.
        mapping: `[nodes]` the literal that takes the place of each node; at first its own.
    """
    copied, starts, _, literals, defined, is_read = copies
    copy, num, first = len(mapping), ZERO, ZERO
    last_fed = gates.first_gate - gates.first_feedback
    for end in ends:
        for place in range(first, end):
            node = order[place]
            for index in range(starts[place], starts[place + 1]):
                gate = copied[index] - gates.first_gate
                for k in range(gates.offsets[gate], gates.offsets[gate + 1]):
                    literals[num] = mapping[gates.literals[k] >> 1] ^ (gates.literals[k] & 1)
                    read = (literals[num] >> 1) - gates.first_feedback
                    if 0 <= read < last_fed:
                        is_read[read] = True
                    num += 1
                mapping[copied[index]] = 2 * copy
                copy += 1
            defined[node] = mapping[defined[node] >> 1] ^ (defined[node] & 1)
            read = (defined[node] >> 1) - gates.first_feedback
            if 0 <= read < last_fed:
                is_read[read] = True
            mapping[gates.first_feedback + node] = defined[node]
        for place in range(first, end):
            node = gates.first_feedback + order[place]
            mapping[node] = 2 * node
        first = end
