"""The step that all passes share: rebuild a netlist after its sources or gates have changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.and_gates import contents, new_table, rebuild
from gdl.circuit.netlist import BoolArray, IntArray, Netlist

T = TypeVar("T")


def rewrite(
    netlist: Netlist,
    *,
    sources: IntArray | None = None,
    kept_gates: IntArray | None = None,
    kept_bases: BoolArray | None = None,
    kept_feedback: BoolArray | None = None,
) -> Netlist:
    """Return the netlist after these changes. Share equal gates and fold constants.

    Args:
        netlist: Not changed.
        sources: `[first_gate]` for each source, the literal that replaces it.
        kept_gates: `[G]` 1: keep; 0: drop, because nothing needs it; -1: dissolve it in its reader,
            see `rebuild`.
        kept_bases: `[B]` which bases to keep. Each of the others must be replaced by another
            source, or nothing may need it.
        kept_feedback: `[F]` which feedback nodes to keep, with the same condition.
    """
    first_gate = netlist.first_gate
    if sources is not None and kept_gates is None and kept_bases is None and kept_feedback is None:
        moved = np.flatnonzero(sources != 2 * np.arange(first_gate))
        if not read_flags(netlist)[moved].any():
            return netlist
    is_kept = np.ones(first_gate, np.bool_)
    if kept_bases is not None:
        is_kept[1 : netlist.first_input] = kept_bases
    if kept_feedback is not None:
        is_kept[netlist.first_feedback :] = kept_feedback
    number = np.cumsum(is_kept).astype(np.int32) - 1
    if sources is None:
        sources = 2 * np.arange(first_gate, dtype=np.int32)
    if kept_gates is None:
        kept_gates = np.ones(netlist.num_gates, np.int32)
    mapping = np.zeros(first_gate + netlist.num_gates, np.int32)
    mapping[:first_gate] = 2 * number[sources >> 1] + (sources & 1)
    table = new_table(int(is_kept.sum()), netlist.num_gates, len(netlist.literals))
    buffers = np.empty((2, len(netlist.literals) + 1), np.int32)
    assert rebuild(netlist.offsets, netlist.literals, mapping, kept_gates, table, buffers)
    offsets, literals = contents(table)
    moved_netlist = rename_outputs(netlist, mapping)
    return replace(
        moved_netlist,
        bases=_chosen(netlist.bases, kept_bases),
        init=netlist.init if kept_bases is None else netlist.init[kept_bases],
        next=moved_netlist.next if kept_bases is None else moved_netlist.next[kept_bases],
        feedback=moved_netlist.feedback
        if kept_feedback is None
        else moved_netlist.feedback[kept_feedback],
        growth=netlist.growth if kept_feedback is None else _of_kept(netlist.growth, kept_feedback),
        offsets=offsets,
        literals=literals,
    )


def renamed(mapping: IntArray, literals: Sequence[int] | IntArray) -> IntArray:
    """Translate literals, given the new literal of each old node."""
    old = np.asarray(literals, np.int32)
    found: IntArray = (mapping[old >> 1] ^ (old & 1)).astype(np.int32)
    return found


def rename_outputs(netlist: Netlist, mapping: IntArray) -> Netlist:
    """Translate the literals of a netlist's outputs, given the new literal of each old node."""

    def one(literal: int) -> int:
        return int(mapping[literal >> 1]) ^ (literal & 1)

    return replace(
        netlist,
        next=renamed(mapping, netlist.next),
        legal=renamed(mapping, netlist.legal),
        terminal=one(netlist.terminal),
        goals=tuple((role, value, one(literal)) for role, value, literal in netlist.goals),
        sees=tuple((role, percept, one(literal)) for role, percept, literal in netlist.sees),
        feedback=renamed(mapping, netlist.feedback),
    )


def outputs(netlist: Netlist) -> IntArray:
    """Return the literals whose values matter in every state and after every move."""
    named = [netlist.terminal, *(g for _, _, g in netlist.goals), *(s for _, _, s in netlist.sees)]
    return np.concatenate([netlist.next, netlist.legal, np.array(named, np.int32)])


def read_flags(netlist: Netlist) -> BoolArray:
    """Return whether a gate, an output or a feedback node reads each node, `[nodes]`."""
    found = np.zeros(netlist.first_gate + netlist.num_gates, np.bool_)
    for literals in (netlist.literals, outputs(netlist), netlist.feedback):
        found[literals >> 1] = True
    return found


def gathered(
    offsets: IntArray, literals: IntArray, gates: NDArray[np.integer]
) -> tuple[IntArray, IntArray]:
    """Return the offsets and literals of `gates`, in this order."""
    counts = np.diff(offsets)[gates]
    ends = np.cumsum(counts)
    places = np.repeat(offsets[gates] - ends + counts, counts) + np.arange(counts.sum())
    return np.concatenate([[0], ends]).astype(np.int32), literals[places]


def replaced(
    offsets: IntArray, literals: IntArray, changed: Mapping[int, Sequence[int]]
) -> tuple[IntArray, IntArray]:
    """Return the offsets and literals of all gates, with new literals for those in `changed`."""
    gates = np.array(sorted(changed), np.int64)
    is_kept = np.ones(len(offsets) - 1, np.bool_)
    is_kept[gates] = False
    counts = np.diff(offsets)
    kept = literals[np.repeat(is_kept, counts)]
    counts[gates] = [len(changed[gate]) for gate in gates.tolist()]
    is_old = np.repeat(is_kept, counts)
    result = np.empty(len(is_old), np.int32)
    result[is_old] = kept
    result[~is_old] = [literal for gate in gates.tolist() for literal in changed[gate]]
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int32), result


def _of_kept(growth: IntArray, kept: BoolArray) -> IntArray:
    return growth[kept] if len(growth) else growth


def _chosen(items: tuple[T, ...], kept: BoolArray | None) -> tuple[T, ...]:
    if kept is None:
        return items
    return tuple(item for item, is_kept in zip(items, kept, strict=True) if is_kept)


def flatten(netlist: Netlist) -> Netlist:
    """Merge nested ANDs into one AND if nothing else needs the inner one."""
    num_nodes = netlist.first_gate + netlist.num_gates
    readers = np.bincount(netlist.literals >> 1, minlength=num_nodes)
    complemented = netlist.literals[(netlist.literals & 1) == 1] >> 1
    is_dissolved = readers == 1
    is_dissolved[complemented] = False
    is_dissolved[outputs(netlist) >> 1] = False
    is_dissolved[netlist.feedback >> 1] = False
    if not is_dissolved[netlist.first_gate :].any():
        return netlist
    kept = np.where(is_dissolved[netlist.first_gate :], -1, 1).astype(np.int32)
    return rewrite(netlist, kept_gates=kept)


def with_percepts_as_bases(netlist: Netlist) -> Netlist:
    """Add a base for each percept, which is true in the state after the percept was seen.

    Lanes can only answer questions about states, while percepts also depend on moves.
    """
    num_new = len(netlist.sees)
    nodes = np.arange(netlist.first_gate + netlist.num_gates, dtype=np.int32)
    moved = np.where(nodes < netlist.first_input, nodes, nodes + num_new).astype(np.int32)
    shifted = rename_outputs(netlist, 2 * moved)
    literals = 2 * moved[netlist.literals >> 1] + (netlist.literals & 1)
    seen = np.array([literal for _, _, literal in shifted.sees], np.int32)
    return replace(
        shifted,
        bases=(*netlist.bases, *(percept for _, percept, _ in netlist.sees)),
        init=np.concatenate([netlist.init, np.zeros(num_new, np.bool_)]),
        next=np.concatenate([shifted.next, seen]),
        literals=literals.astype(np.int32),
        sees=(),
    )
