"""Bases that always agree, or never: one takes the place of all.

All bases are assumed to agree with each other, counted from their first value, until their next
values tell them apart; what is left agrees in all states that can be reached, by induction. Next
values are compared as gates: equal gates are one.

See van Eijk, Sequential equivalence checking based on structural similarities, 2000.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.native.jit import kernel
from gdl.circuit.netlist import NO, YES, Netlist
from gdl.circuit.passes.rewrite import rewrite
from gdl.circuit.table import FULL, GateTable, make_and, new_table

IntArray = NDArray[np.int32]
ByteArray = NDArray[np.uint8]

SECONDS = 1.0
ROOM = 2  # times the gates of the netlist; when it is used up, all are looked up anew
LARGEST = 300_000  # literals; of more, a round takes too long for what is found


def merge_equal_bases(netlist: Netlist, seconds: float = SECONDS) -> Netlist:
    """The netlist in which, of bases that always or never agree, gates read the first only.

    The bases stay, each with its `next`. If the time is over before it is known which agree, the
    netlist is returned as it is.
    """
    end = time.monotonic() + seconds
    # A base that is true at first is counted by its complement: so all are false at first.
    sign = netlist.init.astype(np.int32)
    groups = (netlist.next > YES).astype(np.int32)
    if len(netlist.literals) > LARGEST:
        return netlist
    gates = _Renumbering(netlist)
    while time.monotonic() < end:
        sources = _sources(netlist, groups, sign)
        following = gates.next(sources) ^ sign
        pairs = groups.astype(np.int64) << 32 | following
        _, first, inverse = np.unique(pairs, return_index=True, return_inverse=True)
        if len(first) == len(np.unique(groups)):
            return rewrite(netlist, sources=sources)
        groups = inverse.astype(np.int32) + 1
    return netlist


def _sources(netlist: Netlist, groups: IntArray, sign: IntArray) -> IntArray:
    """The literal that takes the place of each source if the bases of a group agree."""
    _, first, inverse = np.unique(groups, return_index=True, return_inverse=True)
    leaders = first[inverse]
    sources = 2 * np.arange(netlist.first_gate, dtype=np.int32)
    sources[1 : netlist.first_input] = 2 * (1 + leaders) + (sign[leaders] ^ sign)
    return sources


class _Renumbering:
    """The gates by number, equal ones by the same, while other sources take the place of some.

    Of one round to the next few sources differ, and only gates that depend on these are looked up.
    """

    def __init__(self, netlist: Netlist) -> None:
        self._netlist = netlist
        num_nodes = netlist.first_gate + netlist.num_gates
        self._mapping = np.full(num_nodes, NO, np.int32)
        self._changed = np.ones(num_nodes, np.uint8)
        self._buffer = np.empty(len(netlist.literals) + 1, np.int32)
        self._table = self._new_table()

    def next(self, sources: IntArray) -> IntArray:
        """`[B]` the literals of the next values if these literals take the place of the sources."""
        first = self._netlist.first_gate
        self._changed[:first] |= sources != self._mapping[:first]
        self._mapping[:first] = sources
        if not self._look_up():
            self._table = self._new_table()
            self._changed[:] = 1
            assert self._look_up()
        following = self._netlist.next
        renamed: IntArray = self._mapping[following >> 1] ^ (following & 1)
        return renamed

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


@kernel
def _renumber(
    offsets: IntArray,
    literals: IntArray,
    mapping: IntArray,
    changed: ByteArray,
    table: GateTable,
    buffer: IntArray,
) -> bool:
    """Look up the gates that depend on what changed; whether the table had room for new ones.

    Args:
        offsets: `[G + 1]` of the gates.
        literals: Of the gates.
        mapping: `[nodes]` the literal of each, changed in place for the gates.
        changed: `[nodes]` whether that of each is another than before; set for the gates.
        table: All gates that were ever looked up.
        buffer: Room for the literals of a gate.
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
