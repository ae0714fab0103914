"""Kernels for schedules: the order in which gates are evaluated, and which gates are fused.

Gates are numbered from 0 in this module. Literals are those of the netlist.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.and_gates import ZERO
from gdl.circuit.netlist import IntArray
from gdl.native.jit import array_kernel, kernel

Marks = NDArray[np.int8]

NONE = -1


class Gates(NamedTuple):
    """The gates of a netlist."""

    offsets: IntArray  # [G + 1] where the literals of each gate begin
    literals: IntArray
    first: int  # number of the node of gate 0


@kernel
def source_of(gates: Gates, k: int) -> int:
    """Return the gate of the literal at index `k`, or a negative number if it is not of a gate."""
    return int(gates.literals[k] >> 1) - gates.first


@array_kernel
def visit_cone(
    gates: Gates,
    roots: IntArray,
    marks: Marks,
    order: IntArray,
    num: int,
) -> int:
    """Append the gates that the roots need to an order, depth first, each after its sources.

    Gates that belong together are next to each other, so that few values are alive at a time.

    Args:
        roots: Literals.
        marks: `[G]` marked gates are skipped, and visited gates get marked.
        order: `[G]` receives the gates, from index `num` on.
        num: The number of gates that are already in the order.

    Returns:
        The new number of gates in the order.
    """
    stack = np.empty(len(gates.offsets), np.int32)
    following = gates.offsets.copy()  # the next literal of each gate to visit
    for root in roots:
        depth = ZERO
        gate = (root >> 1) - gates.first
        if gate >= 0 and marks[gate] == 0:
            marks[gate] = 1
            stack[0] = gate
            depth += 1
        while depth > 0:
            gate = stack[depth - 1]
            k = following[gate]
            if k == gates.offsets[gate + 1]:
                depth -= 1
                order[num] = gate
                num += 1
                continue
            following[gate] = k + 1
            source = source_of(gates, k)
            if source >= 0 and marks[source] == 0:
                marks[source] = 1
                stack[depth] = source
                depth += 1
    return num


@kernel
def mark_moving(
    gates: Gates, first_feedback: int, order: IntArray, moving: NDArray[np.bool_]
) -> None:
    """Mark in `moving` `[G]` the gates in `order` that depend on feedback nodes."""
    for gate in order:
        for k in range(gates.offsets[gate], gates.offsets[gate + 1]):
            node = gates.literals[k] >> 1
            if node >= gates.first:
                moving[gate] |= moving[node - gates.first]
            elif node >= first_feedback:
                moving[gate] = True


@array_kernel
def group_by_shape(
    gates: Gates,
    shapes: IntArray,
    members: IntArray,
    grouped: IntArray,
) -> None:
    """Reorder some gates, so that gates of the same shape are next to each other.

    A gate is ready if all of its sources are already in the order. The shape of each group is the
    one that most ready gates have.

    Args:
        shapes: `[G]` a number below 32 for each gate.
        members: `[N]` the gates, each after its sources.
        grouped: `[N]` receives the new order.
    """
    places = np.full(len(shapes), NONE, np.int32)
    for place in range(len(members)):
        places[members[place]] = place
    waiting = np.zeros(len(members), np.int32)  # number of sources that are not in the order yet
    starts = np.zeros(len(members) + 2, np.int32)  # where the readers of each member begin
    for gate in members:
        for k in range(gates.offsets[gate], gates.offsets[gate + 1]):
            source = source_of(gates, k)
            if source >= 0 and places[source] != NONE:
                waiting[places[gate]] += 1
                starts[places[source] + 2] += 1
    for place in range(2, len(starts)):
        starts[place] += starts[place - 1]
    readers = np.empty(starts[-1], np.int32)
    for gate in members:
        for k in range(gates.offsets[gate], gates.offsets[gate + 1]):
            source = source_of(gates, k)
            if source >= 0 and places[source] != NONE:
                start = starts[places[source] + 1]
                readers[start] = places[gate]
                starts[places[source] + 1] = start + 1
    _take_the_most_ready(members, shapes, waiting, starts, readers, grouped)


@array_kernel
def _take_the_most_ready(
    members: IntArray,
    shapes: IntArray,
    waiting: IntArray,
    starts: IntArray,
    readers: IntArray,
    grouped: IntArray,
) -> None:
    """Write the members into `grouped`, shape by shape.

    Args:
        waiting: For each member, the number of its sources that are not in the order yet.
        starts: `readers[starts[i] : starts[i + 1]]` are the members that read member i.
        readers: See `starts`.
    """
    heads = np.full(32, NONE, np.int32)  # linked lists of ready members, by shape
    sizes = np.zeros(32, np.int32)
    following = np.full(len(members), NONE, np.int32)
    for place in range(len(members) - 1, -1, -1):
        if waiting[place] == 0:
            shape = shapes[members[place]]
            following[place] = heads[shape]
            heads[shape] = place
            sizes[shape] += 1
    best = ZERO
    for num in range(len(members)):
        if heads[best] == NONE:  # the list is used up, including members that became ready since
            sizes[best] = 0
            best = int(np.argmax(sizes))
        place = heads[best]
        heads[best] = following[place]
        grouped[num] = members[place]
        for k in range(starts[place], starts[place + 1]):
            reader = readers[k]
            waiting[reader] -= 1
            if waiting[reader] == 0:
                shape = shapes[members[reader]]
                following[reader] = heads[shape]
                heads[shape] = reader
                sizes[shape] += 1


@array_kernel
def find_fused(
    gates: Gates,
    part_of: IntArray,
    public: NDArray[np.bool_],
    readers: IntArray,
) -> None:
    """Find the gates that become part of the instruction of their only reader.

    These are ANDs of two literals that only one gate of the same part reads, complemented. The
    reader's result so far and the two literals make a function of three vectors.

    Args:
        part_of: `[G]` the part in which each gate is evaluated.
        public: `[G]` whether anything other than a gate reads each gate.
        readers: `[G]` receives the only reader, or NONE if the gate is not fused.
    """
    num_gates = len(gates.offsets) - 1
    num_reads = np.zeros(num_gates, np.int32)
    for gate in range(num_gates):
        for k in range(gates.offsets[gate], gates.offsets[gate + 1]):
            source = source_of(gates, k)
            if source >= 0:
                num_reads[source] += 1
                readers[source] = gate if gates.literals[k] & 1 else NONE
    for gate in range(num_gates):
        reader = readers[gate]
        is_fused = reader != NONE and num_reads[gate] == 1 and not public[gate]
        is_fused = is_fused and gates.offsets[gate + 1] - gates.offsets[gate] == 2
        if is_fused and part_of[gate] == part_of[reader]:
            # A gate that others are fused into is not fused itself. Sources have lower numbers.
            for k in range(gates.offsets[gate], gates.offsets[gate + 1]):
                source = source_of(gates, k)
                is_fused = is_fused and (source < 0 or readers[source] == NONE)
            if is_fused:
                continue
        readers[gate] = NONE


@array_kernel
def allocate_slots(
    gates: Gates,
    order: IntArray,
    readers: IntArray,
    kept_until: IntArray,
    slots: IntArray,
) -> int:
    """Give each gate a slot, which is reused after the last read of the gate.

    Args:
        readers: `[G]` for a fused gate, the gate at whose step its literals are read; else NONE.
        kept_until: `[G]` the step until which each gate must be kept in any case; changed in place.
        slots: `[nodes]` receives the slots of the gates.

    Returns:
        The number of slots.
    """
    num_gates = len(gates.offsets) - 1
    steps = np.empty(num_gates, np.int32)
    for step in range(len(order) - 1, -1, -1):
        gate = order[step]
        kept_until[gate] = max(kept_until[gate], step)
        steps[gate] = step if readers[gate] == NONE else steps[readers[gate]]
        for k in range(gates.offsets[gate], gates.offsets[gate + 1]):
            source = source_of(gates, k)
            if source >= 0:
                kept_until[source] = max(kept_until[source], steps[gate])
    unread = np.full(num_gates + 1, NONE, np.int32)  # linked lists of gates, by their last step
    following = np.empty(num_gates, np.int32)
    for gate in order:
        following[gate] = unread[kept_until[gate]]
        unread[kept_until[gate]] = gate
    free = np.empty(num_gates, np.int32)
    num_free, num_slots = ZERO, ZERO + gates.first
    for step in range(len(order)):
        gate = order[step]
        if num_free > 0:
            num_free -= 1
            slots[gates.first + gate] = free[num_free]
        else:
            slots[gates.first + gate] = num_slots
            num_slots += 1
        done = unread[step]
        while done != NONE:
            free[num_free] = slots[gates.first + done]
            num_free += 1
            done = following[done]
    return num_slots
