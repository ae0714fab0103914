"""Merge bases that always have equal, or always opposite, values: one of them replaces all.

At first, all bases are assumed to be equal, relative to their first values. Groups of bases are
split if their next values differ. Bases that remain together have equal values in all reachable
states, by induction. Next values are compared as gates, because equal gates have the same number.
Before that, next values in random states separate most bases, which is many times faster.

See van Eijk, Sequential equivalence checking based on structural similarities, 2000.
"""

from __future__ import annotations

import time
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.and_gates import FULL, GateTable, make_and, new_table
from gdl.circuit.netlist import NO, YES, ByteArray, IntArray, Netlist
from gdl.circuit.passes.rewrite import renamed, rewrite
from gdl.native.jit import lane_kernel

SECONDS = 1.0
DENSITIES = (1, 3, 2, 5)  # of random states: how many random words are ANDed
ROOM = 2  # times the gates of the netlist; once it is used up, start with an empty table
LARGEST = 300_000  # literals; with more, the pass takes too long for what it finds


def merge_equal_bases(netlist: Netlist, seconds: float = SECONDS) -> Netlist:
    """Let gates read only the first of several bases that are always equal or opposite.

    All bases stay in the netlist, each with its `next`. If the time runs out before the result is
    certain, return the netlist unchanged.
    """
    end = time.monotonic() + seconds
    # A base that is true at first is represented by its complement, so all begin as false.
    sign = netlist.init.astype(np.int32)
    groups = _finer((netlist.next > YES).astype(np.int32), sign & 0)
    if not netlist.num_bases or len(netlist.literals) > LARGEST:
        return netlist
    groups = _groups_by_values(netlist, groups, sign, end)
    gates = _Renumbering(netlist)
    while time.monotonic() < end:
        sources = _sources(netlist, groups, sign)
        following = gates.next(sources) ^ sign
        finer = _finer(groups, following)
        if finer.max() == groups.max():
            return rewrite(netlist, sources=sources)
        groups = finer
    return netlist


def _finer(groups: IntArray, values: NDArray[Any]) -> IntArray:
    order = np.lexsort((values, groups))
    is_first = np.ones(len(order), np.bool_)
    is_first[1:] = np.diff(groups[order]) != 0
    is_first[1:] |= values[order][1:] != values[order][:-1]
    finer = np.empty(len(order), np.int32)
    finer[order] = np.cumsum(is_first) - 1
    return finer


def _groups_by_values(netlist: Netlist, groups: IntArray, sign: IntArray, end: float) -> IntArray:
    """Split groups by their next values in some random states.

    Bases that are always equal stay together.
    """
    rng = np.random.default_rng(len(netlist.literals))
    values = np.zeros(netlist.first_gate + netlist.num_gates, np.uint64)
    quiet = turn = 0
    while quiet < len(DENSITIES) and time.monotonic() < end:
        words = rng.integers(
            2**64, size=(DENSITIES[turn % len(DENSITIES)], netlist.first_gate), dtype=np.uint64
        )
        words = np.bitwise_and.reduce(words)
        values[1 : netlist.first_gate] = words[1:]
        values[1 : netlist.first_input] = words[groups] ^ -sign.astype(np.uint64)
        _evaluate(netlist.offsets, netlist.literals, values)
        following = values[netlist.next >> 1] ^ -((netlist.next & 1) ^ sign).astype(np.uint64)
        finer = _finer(groups, following)
        quiet = 0 if finer.max() > groups.max() else quiet + 1
        groups = finer
        turn += 1
    return groups


def _sources(netlist: Netlist, groups: IntArray, sign: IntArray) -> IntArray:
    _, first, inverse = np.unique(groups, return_index=True, return_inverse=True)
    leaders = first[inverse]
    sources = 2 * np.arange(netlist.first_gate, dtype=np.int32)
    sources[1 : netlist.first_input] = 2 * (1 + leaders) + (sign[leaders] ^ sign)
    return sources


class _Renumbering:
    """Numbers of gates, given literals that replace the sources. Equal gates have equal numbers.

    From one call of `next` to another, few sources differ. Only gates that depend on these sources
    are looked up.
    """

    def __init__(self, netlist: Netlist) -> None:
        self._netlist = netlist
        num_nodes = netlist.first_gate + netlist.num_gates
        self._mapping = np.full(num_nodes, NO, np.int32)
        self._changed = np.ones(num_nodes, np.uint8)
        self._buffer = np.empty(len(netlist.literals) + 1, np.int32)
        self._table = self._new_table()

    def next(self, sources: IntArray) -> IntArray:
        first = self._netlist.first_gate
        self._changed[:first] |= sources != self._mapping[:first]
        self._mapping[:first] = sources
        if not self._look_up():
            self._table = self._new_table()
            self._changed[:] = 1
            assert self._look_up()
        return renamed(self._mapping, self._netlist.next)

    def _new_table(self) -> GateTable:
        gates, literals = self._netlist.num_gates, len(self._netlist.literals)
        return new_table(self._netlist.first_gate, ROOM * gates, ROOM * literals)

    def _look_up(self) -> bool:
        offsets, literals = self._netlist.offsets, self._netlist.literals
        found = _renumber(
            offsets, literals, self._mapping, self._changed, self._table, self._buffer
        )
        self._changed[: self._netlist.first_gate] = 0
        return found


@lane_kernel
def _renumber(
    offsets: IntArray,
    literals: IntArray,
    mapping: IntArray,
    changed: ByteArray,
    table: GateTable,
    buffer: IntArray,
) -> bool:
    """Look up the gates that depend on changed nodes. Return whether the table had room.

    Args:
        offsets: `[G + 1]` where the literals of each gate begin.
        mapping: `[nodes]` the literal of each node, changed in place for the gates.
        changed: `[nodes]` whether the literal of each node has changed; set for the gates.
        table: All gates that have been looked up so far.
        buffer: Scratch buffer for the literals of a gate.
    """
    first = len(mapping) - (len(offsets) - 1)
    for gate in range(len(offsets) - 1):
        start, end = offsets[gate], offsets[gate + 1]
        is_new = changed[first + gate]
        changed[first + gate] = 0
        for k in range(start, end):
            is_new |= changed[literals[k] >> 1]
        if is_new == 0:
            continue
        for k in range(start, end):
            buffer[k - start] = mapping[literals[k] >> 1] ^ (literals[k] & 1)
        made = make_and(table, buffer, end - start)
        if made == FULL:
            return False
        changed[first + gate] = made != mapping[first + gate]
        mapping[first + gate] = made
    return True


@lane_kernel
def _evaluate(offsets: IntArray, literals: IntArray, values: NDArray[np.uint64]) -> None:
    """Compute the gates in 64 states at once."""
    first = len(values) - (len(offsets) - 1)
    for gate in range(len(offsets) - 1):
        value = ~values[0]
        for k in range(offsets[gate], offsets[gate + 1]):
            found = values[literals[k] >> 1]
            value &= ~found if literals[k] & 1 else found
        values[first + gate] = value
