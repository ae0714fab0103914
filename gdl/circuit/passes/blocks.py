"""Blocks: groups of related feedback nodes with gates of their own.

A fixpoint is found block by block. A block is evaluated again only if a feedback node that it reads
has changed. So a block must be self-contained: blocks do not share gates that depend on feedback.
If a gate of a block depends on an earlier node of the same block, the gate reads the literal that
defines this node, instead of the node.

This is chaotic iteration: P. and R. Cousot, Automatic synthesis of optimal invariant assertions,
1977. Nodes that stay true (see `gdl.circuit.passes.growth`) change along a few long paths from one
state to the next. They keep the order in which the grounder derived them, in which neighbours are
next to each other, and their blocks are about as large as a row of a board. The other nodes start
from false in each state, and change everywhere. A whole group of them is evaluated in two halves:
the first half from what is known of the second, then the second half from the first.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.and_gates import ZERO, mark_cone
from gdl.circuit.netlist import BoolArray, IntArray, Netlist
from gdl.circuit.passes.rewrite import gathered, outputs, rename_outputs, renamed
from gdl.circuit.passes.split import dependents
from gdl.native.jit import kernel

SIZE = 14  # largest number of feedback nodes in a block of nodes that stay true


class _Gates(NamedTuple):
    """The gates, for kernels, and which nodes depend on feedback."""

    offsets: IntArray  # [G + 1]
    literals: IntArray
    moves: BoolArray  # [nodes] whether each node depends on feedback
    first_feedback: int
    first_gate: int


class _Copies(NamedTuple):
    """Copies of the gates that each feedback node needs, block by block."""

    blocks: list[IntArray]  # the feedback nodes of each block, counted from the first node
    num: int
    sizes: NDArray[np.int64]  # number of literals of each gate
    literals: IntArray  # node numbers above those of the netlist are copies
    defined: IntArray  # [F] literal that defines each feedback node
    is_kept: BoolArray  # [F] whether a copy reads the feedback node itself, or it stays true


def separate_blocks(netlist: Netlist, size: int = SIZE) -> Netlist:
    """Put feedback nodes into blocks. This is the last pass, because it may duplicate gates.

    Args:
        netlist: Not changed.
        size: The largest number of feedback nodes in a block of nodes that stay true.
    """
    if not len(netlist.feedback):
        return netlist
    gates = _gates(netlist)
    copies = _copied(netlist, gates, _blocks(netlist, gates, size))
    return _assembled(netlist, gates, copies)


def halve_feedback(netlist: Netlist) -> Netlist:
    """Reduce the number of feedback nodes, for machines that evaluate all of them at once."""
    nothing = np.zeros(0, np.int32)
    return replace(separate_blocks(replace(netlist, growth=nothing)), blocks=nothing)


def _gates(netlist: Netlist) -> _Gates:
    first = netlist.first_feedback, netlist.first_gate
    return _Gates(netlist.offsets, netlist.literals, dependents(netlist, slice(*first)), *first)


def _blocks(netlist: Netlist, gates: _Gates, size: int) -> list[IntArray]:
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
    """Order nodes in two halves: first those that no node before them reads, then all others."""
    read: set[int] = set()
    first = []
    for node in nodes:
        if node not in read:
            first.append(node)
            read |= reads[node]
    chosen = set(first)
    return [*first, *(node for node in nodes if node not in chosen)]


class _Cones:
    """A search for the nodes that a node needs and that depend on feedback."""

    def __init__(self, netlist: Netlist, gates: _Gates) -> None:
        self._gates = gates
        self._stamps = np.zeros(len(gates.moves), np.int32)
        self._found = np.zeros(len(gates.moves) + 1, np.int32)
        self._stack = np.zeros(len(netlist.literals) + len(gates.moves) + 1, np.int32)

    def find(self, root: int, stamp: int) -> IntArray:
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
    copied = np.concatenate(of_nodes)
    starts = np.concatenate([[0], np.cumsum([len(x) for x in of_nodes])]).astype(np.int32)
    sizes = np.diff(netlist.offsets)[copied - gates.first_gate]
    literals = np.zeros(sizes.sum(), np.int32)
    defined = netlist.feedback.copy()
    lengths = np.array([len(block) for block in blocks])
    begins = np.repeat(np.cumsum(lengths) - lengths, lengths).astype(np.int32)
    mapping = 2 * np.arange(len(gates.moves), dtype=np.int32)
    of_blocks = np.concatenate(blocks), begins
    _copy(gates, of_blocks, (copied, starts, literals, defined), mapping)
    is_kept = _grows(netlist)
    read = (np.concatenate([literals, defined]) >> 1) - gates.first_feedback
    is_kept[read[(read >= 0) & (read < len(is_kept))]] = True
    return _Copies(blocks, len(copied), sizes, literals, defined, is_kept)


def _assembled(netlist: Netlist, gates: _Gates, copies: _Copies) -> Netlist:
    """Return the new netlist.

    It has the gates without feedback, then the copies, then other gates that depend on feedback.

    These last gates read the gate that defines a feedback node in place of the node itself, unless
    the node stays true. The block of such a node may have been skipped, because nothing that it
    reads has changed.
    """
    first_feedback, first_gate = gates.first_feedback, gates.first_gate
    order = np.concatenate(copies.blocks)
    kept = order[copies.is_kept[order]]
    still = first_gate + np.flatnonzero(~gates.moves[first_gate:])
    copied = np.arange(len(gates.moves), len(gates.moves) + copies.num)
    others = _others(netlist, gates)
    nodes = np.concatenate(
        [np.arange(first_feedback), first_feedback + kept, still, copied, others]
    )
    mapping = np.zeros(len(gates.moves) + copies.num, np.int32)
    mapping[nodes] = 2 * np.arange(len(nodes))
    outside = mapping.copy()
    falls = np.flatnonzero(~_grows(netlist))
    outside[first_feedback + falls] = renamed(mapping, copies.defined[falls])
    before, after = (
        gathered(netlist.offsets, netlist.literals, some - first_gate) for some in (still, others)
    )
    literals = (
        renamed(mapping, before[1]),
        renamed(mapping, copies.literals),
        renamed(outside, after[1]),
    )
    sizes = np.concatenate([np.diff(before[0]), copies.sizes, np.diff(after[0])])
    ends = np.cumsum([copies.is_kept[block].sum() for block in copies.blocks])
    return replace(
        rename_outputs(netlist, outside),
        offsets=np.concatenate([[0], np.cumsum(sizes)]).astype(np.int32),
        literals=np.concatenate(literals),
        feedback=renamed(mapping, copies.defined[kept]),
        growth=netlist.growth[kept] if len(netlist.growth) else netlist.growth,
        blocks=np.concatenate([[0], ends]).astype(np.int32),
    )


def _others(netlist: Netlist, gates: _Gates) -> NDArray[np.int64]:
    is_needed = np.zeros(len(gates.moves), np.bool_)
    is_needed[outputs(netlist) >> 1] = True
    mark_cone(gates.offsets, gates.literals, netlist.feedback[:0], gates.first_gate, is_needed)
    found = gates.moves & is_needed
    return gates.first_gate + np.flatnonzero(found[gates.first_gate :])


@kernel
def _find_cone(
    gates: _Gates, root: int, stamp: int, stamps: IntArray, stack: IntArray, found: IntArray
) -> int:
    """Find nodes that `root` needs, that depend on feedback, and that do not have this stamp.

    Return their number. The found nodes get the stamp. A negative number on the stack stands for a
    gate whose sources have all been found.
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
    blocks: tuple[IntArray, IntArray],
    copies: tuple[IntArray, IntArray, IntArray, IntArray],
    mapping: IntArray,
) -> None:
    """Write the literals of the copies.

    Args:
        gates: The existing gates.
        blocks: `[F]` the feedback nodes, block by block; `[F]` where the block of each begins.
        copies: The copied gates, where those of each node begin, and the `literals` and `defined`
            of `_Copies`. The last two are written.
        mapping: `[nodes]` the literal that replaces each node; at first the node's own literal.
    """
    order, begins = blocks
    copied, starts, literals, defined = copies
    num = ZERO
    for place in range(len(order)):
        if begins[place] == place:  # a new block, which reads nodes of other blocks directly
            for other in range(gates.first_feedback, gates.first_gate):
                mapping[other] = 2 * other
        for index in range(starts[place], starts[place + 1]):
            gate = copied[index] - gates.first_gate
            for k in range(gates.offsets[gate], gates.offsets[gate + 1]):
                literals[num] = mapping[gates.literals[k] >> 1] ^ (gates.literals[k] & 1)
                num += 1
            mapping[copied[index]] = 2 * (len(mapping) + index)
        node = order[place]
        defined[node] = mapping[defined[node] >> 1] ^ (defined[node] & 1)
        mapping[gates.first_feedback + node] = defined[node]
