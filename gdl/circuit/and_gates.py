"""A table of gates, in which each AND of the same literals is created only once.

The build from rules and the passes create their gates with `make_and`. It folds constants, drops
repeated literals, and finds equal gates by their hash. `rebuild` recreates the gates of a netlist
in a table, and `mark_cone` marks all nodes that some nodes depend on.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.netlist import IntArray
from gdl.native.jit import lane_kernel

# The number 0 of type int64. For numba a literal 0 has a type of its own, so a kernel that gets
# both would be compiled twice.
ZERO = cast("int", np.int64(0))

FULL = -1  # no room for another gate
FREE = -1  # an entry of `slots` without a gate

_HASH_MASK = (1 << 38) - 1  # the product with _HASH_FACTOR still fits into 63 bits
_HASH_FACTOR = 16777619


class GateTable(NamedTuple):
    """Gates under construction. The arrays are larger than their contents."""

    offsets: IntArray  # [G + 1]
    literals: IntArray
    slots: IntArray  # [a power of two] gate index or FREE
    sizes: IntArray  # [2] number of gates, number of the first gate's node


def new_table(first_gate: int, num_gates: int, num_literals: int) -> GateTable:
    """Return an empty table with room for `num_gates` gates and `num_literals` literals.

    Args:
        first_gate: Node number of the first gate.
    """
    num_slots = 1 << max(4, int(2 * num_gates).bit_length())
    return GateTable(
        offsets=np.zeros(num_gates + 2, np.int32),
        literals=np.zeros(num_literals + 1, np.int32),
        slots=np.full(num_slots, FREE, np.int32),
        sizes=np.array([0, first_gate], np.int32),
    )


def contents(table: GateTable) -> tuple[IntArray, IntArray]:
    """Return the offsets and literals of the gates created so far."""
    num_gates = int(table.sizes[0])
    offsets = table.offsets[: num_gates + 1].copy()
    return offsets, table.literals[: offsets[num_gates]].copy()


@lane_kernel
def sort_literals(buffer: IntArray, size: int) -> None:
    """Sort the first `size` literals by Shellsort.

    Numba takes seconds to compile its own quicksort.
    """
    gap = 1
    while gap < size // 3:
        gap = 3 * gap + 1
    while gap > 0:
        for i in range(gap, size):
            literal = buffer[i]
            k = i
            while k >= gap and buffer[k - gap] > literal:
                buffer[k] = buffer[k - gap]
                k -= gap
            buffer[k] = literal
        gap //= 3


@lane_kernel
def simplify(buffer: IntArray, size: int) -> int:
    """Sort the first `size` literals, and drop YES and repeated ones.

    Return the new size, or -1 if the AND of the literals is NO.
    """
    sort_literals(buffer, size)
    kept = 0
    for i in range(size):
        literal = buffer[i]
        if literal == 0:
            return -1
        if literal == 1 or (kept > 0 and buffer[kept - 1] == literal):
            continue
        if kept > 0 and buffer[kept - 1] == literal ^ 1:
            return -1
        buffer[kept] = literal
        kept += 1
    return kept


@lane_kernel
def make_and(table: GateTable, buffer: IntArray, size: int) -> int:
    """Sort the first `size` literals of `buffer`, and return the literal of their AND.

    Return FULL if the table has no room for the gate.
    """
    size = simplify(buffer, size)
    if size < 0:
        return 0
    if size == 0:
        return 1
    if size == 1:
        return int(buffer[0])
    slot = _find_slot(table, buffer, size)
    gate = int(table.slots[slot])
    if gate == FREE:
        gate = int(table.sizes[0])
        start = int(table.offsets[gate])
        if gate + 2 >= len(table.offsets) or start + size > len(table.literals):
            return FULL
        for i in range(size):
            table.literals[start + i] = buffer[i]
        table.offsets[gate + 1] = start + size
        table.slots[slot] = gate
        table.sizes[0] = gate + 1
    return 2 * (int(table.sizes[1]) + gate)


@lane_kernel
def _find_slot(table: GateTable, buffer: IntArray, size: int) -> int:
    code = size
    for i in range(size):
        code = ((code ^ int(buffer[i])) * _HASH_FACTOR) & _HASH_MASK
        code ^= code >> 17
    slot = code & (len(table.slots) - 1)
    while table.slots[slot] != FREE:
        gate = table.slots[slot]
        start = table.offsets[gate]
        if table.offsets[gate + 1] - start == size:
            same = 0
            while same < size and table.literals[start + same] == buffer[same]:
                same += 1
            if same == size:
                break
        slot = (slot + 1) & (len(table.slots) - 1)
    return slot


@lane_kernel
def rebuild(
    offsets: IntArray,
    literals: IntArray,
    mapping: IntArray,
    kept: IntArray,
    table: GateTable,
    buffers: IntArray,
) -> bool:
    """Recreate gates in a table, in their order, after their sources were mapped.

    Args:
        offsets: `[G + 1]` of the old gates.
        mapping: `[nodes]` the new literal of each old node. It is given for all nodes below the
            gates, and filled in for the gates.
        kept: `[G]` 1: create the gate; 0: skip it, because nothing needs it; -1: dissolve it in its
            only reader, a gate that reads it uncomplemented.
        table: Where to create the gates.
        buffers: `[2, L + 1]` scratch buffers, where `L` is the number of old literals.

    Returns:
        Whether the table had room for all gates.
    """
    num_gates = len(offsets) - 1
    first = len(mapping) - num_gates
    buffer, waiting = buffers[0], buffers[1]
    for gate in range(num_gates):
        if kept[gate] != 1:
            continue
        size, num_waiting = ZERO, ZERO + 1
        waiting[0] = gate
        while num_waiting > 0:
            node = waiting[num_waiting - 1]
            num_waiting -= 1
            for k in range(offsets[node], offsets[node + 1]):
                inner = (literals[k] >> 1) - first
                is_dissolved = inner >= 0 and kept[inner] == -1
                waiting[num_waiting] = inner
                buffer[size] = mapping[literals[k] >> 1] ^ (literals[k] & 1)
                num_waiting += is_dissolved
                size += not is_dissolved
        made = make_and(table, buffer, size)
        if made == FULL:
            return False
        mapping[first + gate] = made
    return True


def mark_cone(
    offsets: IntArray, literals: IntArray, leads: IntArray, first: int, needed: NDArray[np.bool_]
) -> None:
    """Mark all nodes on which marked nodes depend.

    Args:
        offsets: `[G + 1]` of the gates.
        leads: For each of the last nodes before the gates, the literal on which it depends, such as
            the literal that defines a feedback node. NO if it depends on nothing.
        first: Node number of the first gate.
        needed: `[nodes]` the marks, changed in place.
    """
    pending = np.empty(len(needed), np.int32)
    nodes = np.flatnonzero(needed)
    pending[: len(nodes)] = nodes
    _mark(offsets, literals, leads, needed, (first, len(nodes)), pending)


@lane_kernel
def _mark(
    offsets: IntArray,
    literals: IntArray,
    leads: IntArray,
    needed: NDArray[np.bool_],
    bounds: tuple[int, int],
    pending: IntArray,
) -> None:
    """Mark what the pending nodes depend on. Visit each node once.

    Args:
        bounds: Node number of the first gate, and the number of pending nodes.
        pending: `[nodes]` nodes that are marked but not visited yet.
    """
    first, size = bounds
    first_led = first - len(leads)
    while size > 0:
        size -= 1
        node = pending[size]
        if first_led <= node < first:
            place = node - first_led
            size = _mark_nodes(leads, place, place + 1, needed, pending, size)
        elif node >= first:
            start, end = ZERO + offsets[node - first], ZERO + offsets[node - first + 1]
            size = _mark_nodes(literals, start, end, needed, pending, size)


@lane_kernel
def _mark_nodes(
    literals: IntArray,
    start: int,
    end: int,
    needed: NDArray[np.bool_],
    pending: IntArray,
    size: int,
) -> int:
    for k in range(start, end):
        node = literals[k] >> 1
        if not needed[node]:
            needed[node] = True
            pending[size] = node
            size += 1
    return size
