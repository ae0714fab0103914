"""The schedule: the order in which a netlist's gates are evaluated, and where values are stored.

Gates are in *segments* that are evaluated one after another, so that only the segments that are
needed have to be evaluated. `before` and `loop` find the least fixpoint of the feedback nodes. Then
come `terminal`, `legal`, `goal` and `next`. A gate is in the first segment that needs it. No
segment after `goal` reads a gate of `goal`, so `goal` may be skipped.

Within a segment, gates are in depth-first order, which suits machine code. Without machine code,
gates of the same *shape* are grouped in runs, as far as topological order allows. The shape is the
number of plain literals and of complemented ones. A run is evaluated by a loop without branches. A
value is stored in a *slot*. The slot of a gate is reused after the last read of the gate.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.netlist import IntArray, Netlist
from gdl.circuit.ordering import (
    NONE,
    Gates,
    allocate_slots,
    find_fused,
    group_by_shape,
    mark_moving,
    visit_cone,
)
from gdl.native.target import target

MAX_GATE_INPUTS = 4

Number = TypeVar("Number", int, IntArray)

# Number of gates within which shapes are grouped. Longer runs would read values that are far apart.
WINDOW = 500


class Segment(IntEnum):
    """The segments, in the order in which they are evaluated."""

    BEFORE = 0  # needed by feedback, but does not depend on it
    LOOP = 1  # needed by feedback and depends on it: evaluated until nothing changes
    TERMINAL = 2
    LEGAL = 3  # includes gates that both goal and next need
    GOAL = 4
    NEXT = 5


NUM_SEGMENTS = len(Segment)


@dataclass(frozen=True, eq=False)
class Schedule:
    """A netlist in flat arrays, with `G` gates, `U` runs and `S` segments.

    The slots of the constant, bases, inputs and feedback nodes equal their node numbers. Gates have
    the slots after these. A *place* is a literal of slots: twice a slot, plus one if it is
    complemented.
    """

    netlist: Netlist  # the netlist that was scheduled
    num_slots: int
    segments: IntArray  # [S + 1] index in `runs` where each segment begins
    # [U, 4] shape (see `shape_of`), first gate, last gate + 1, and the index in `sources` where the
    # first gate's sources begin
    runs: IntArray
    targets: IntArray  # [G] the slot of each gate
    sources: IntArray  # slots of the gates' literals, plain ones first
    # [G] whether a gate is fused into the instruction of its only reader, in machine code
    fused: NDArray[np.bool_]
    next: IntArray  # [B] place of each base's next value
    legal: IntArray  # [I] place of each input's legality
    terminal: int  # place
    goals: IntArray  # place of each goal of the netlist
    feedback: IntArray  # [F] place that defines each feedback node
    # [K + 1] index in `runs` where each block of the loop begins. There is one block if the netlist
    # has none.
    blocks: IntArray

    @property
    def parts(self) -> IntArray:
        """`[S + K]` where the runs of each part begin.

        The parts are the segments, with the blocks of the loop in its place.
        """
        before, after = self.segments[: Segment.LOOP], self.segments[Segment.LOOP + 1 :]
        return np.concatenate([before, self.blocks[:-1], after])


def shape_of(num_plain: Number, num_complemented: Number) -> Number:
    """Return the number of a shape, or the numbers of several shapes."""
    return num_plain * (MAX_GATE_INPUTS + 1) + num_complemented


def schedule(netlist: Netlist, *, straight: bool | None = None) -> Schedule:
    """Order the gates of a netlist and give them slots.

    Args:
        netlist: Each of its gates must have 1 to `MAX_GATE_INPUTS` literals.
        straight: Whether to keep gates in depth-first order, in which few values are alive at a
            time. If False, group them in runs. If None, choose what this machine evaluates faster.
    """
    kind = target()
    straight = kind is not None if straight is None else straight
    shapes = _shapes(netlist)
    order, parts = _order(netlist)
    readers = np.full(netlist.num_gates, NONE, np.int32)
    if straight and kind is not None and kind.has_ternary:
        _find_fused(netlist, order, parts, readers)
    if not straight:
        _group(netlist, shapes, order, parts)
    slots, num_slots = _allocate(netlist, order, readers, int(parts[-2]))
    runs, starts = _runs(netlist, shapes, order, parts)
    bounds = np.searchsorted(runs[:, 1], parts).astype(np.int32)
    after = Segment.LOOP + len(parts) - NUM_SEGMENTS  # the first part after the blocks

    def places(literals: IntArray) -> IntArray:
        found: IntArray = (slots[literals >> 1] << 1 | literals & 1).astype(np.int32)
        return found

    return Schedule(
        netlist=netlist,
        num_slots=num_slots,
        segments=np.concatenate([bounds[: Segment.LOOP + 1], bounds[after:]]),
        runs=runs,
        targets=slots[netlist.first_gate + order],
        sources=slots[_sorted_literals(netlist, order, starts) >> 1],
        fused=readers[order] != NONE,
        next=places(netlist.next),
        legal=places(netlist.legal),
        terminal=int(places(np.array([netlist.terminal], np.int32))[0]),
        goals=places(netlist.goal_literals),
        feedback=places(netlist.feedback),
        blocks=bounds[Segment.LOOP : after + 1],
    )


def _gates(netlist: Netlist) -> Gates:
    return Gates(netlist.offsets, netlist.literals, netlist.first_gate)


def _shapes(netlist: Netlist) -> IntArray:
    sizes = np.diff(netlist.offsets)
    assert not len(sizes) or 1 <= sizes.min() <= sizes.max() <= MAX_GATE_INPUTS
    complemented = np.concatenate([[0], np.cumsum(netlist.literals & 1)])[netlist.offsets]
    num_complemented = np.diff(complemented)
    found: IntArray = shape_of(sizes - num_complemented, num_complemented).astype(np.int32)
    return found


def _order(netlist: Netlist) -> tuple[IntArray, IntArray]:
    """Return the gates in topological order, and the bounds `[S + K]` of the parts."""
    gates = _gates(netlist)
    marks = np.zeros(netlist.num_gates, np.int8)
    order = np.zeros(netlist.num_gates, np.int32)

    def cone(roots: IntArray, num: int, marks: NDArray[np.int8] = marks) -> int:
        return visit_cone(gates, roots, marks, order, num)

    blocks = netlist.blocks.tolist() or [0, len(netlist.feedback)]
    ends = [0]
    for first, last in pairwise(blocks):
        ends.append(cone(netlist.feedback[first:last], ends[-1]))
    fixpoint = ends[-1]
    moving = np.zeros(netlist.num_gates, np.bool_)
    mark_moving(gates, netlist.first_feedback, order[:fixpoint], moving)
    is_moving = moving[order[:fixpoint]]
    order[:fixpoint] = order[:fixpoint][np.argsort(is_moving, kind="stable")]
    still = fixpoint - int(is_moving.sum())
    of_blocks = still + np.concatenate([[0], np.cumsum(is_moving)])[ends]
    terminal = cone(np.array([netlist.terminal], np.int32), fixpoint)
    legal = cone(netlist.legal, terminal)
    # Gates that both `goal` and `next` need are evaluated before either of them.
    by_next, by_goal = marks.copy(), marks.copy()
    cone(netlist.next, legal, by_next)
    asked = order[legal : cone(netlist.goal_literals, legal, by_goal)]
    shared = asked[by_next[asked] != 0]
    marks[shared] = 1
    order[legal : legal + len(shared)] = shared
    goal = cone(netlist.goal_literals, legal + len(shared))
    end = cone(netlist.next, goal)
    parts = [0, *of_blocks.tolist(), terminal, legal + len(shared), goal, end]
    return order[:end], np.array(parts, np.int32)


def _group(netlist: Netlist, shapes: IntArray, order: IntArray, parts: IntArray) -> None:
    for first, last in pairwise(parts.tolist()):
        for start in range(first, last, WINDOW):
            window = order[start : min(last, start + WINDOW)]
            group_by_shape(_gates(netlist), shapes, window.copy(), window)


def _find_fused(netlist: Netlist, order: IntArray, parts: IntArray, readers: IntArray) -> None:
    part_of = np.zeros(netlist.num_gates, np.int32)
    part_of[order] = np.repeat(np.arange(len(parts) - 1), np.diff(parts))
    public = np.zeros(netlist.first_gate + netlist.num_gates, np.bool_)
    outputs = (netlist.feedback, netlist.legal, netlist.goal_literals, netlist.next)
    public[np.concatenate([[netlist.terminal], *outputs]) >> 1] = True
    find_fused(_gates(netlist), part_of, public[netlist.first_gate :], readers)


def _allocate(
    netlist: Netlist, order: IntArray, readers: IntArray, first_of_next: int
) -> tuple[IntArray, int]:
    """Return the slot of each node, and the number of slots.

    Moves are chosen before the first step of `NEXT`, so the legality of moves must be kept until
    then. Values that the loop reads are read again in each repetition, so they are kept throughout.
    """
    first, num_gates = netlist.first_gate, netlist.num_gates
    kept_until = np.zeros(first + num_gates, np.int32)
    kept_until[np.concatenate([[netlist.terminal], netlist.legal, netlist.goal_literals]) >> 1] = (
        first_of_next
    )
    kept_until[netlist.next >> 1] = num_gates
    of_fixpoint = np.zeros(num_gates, np.int8)
    gates = _gates(netlist)
    visit_cone(gates, netlist.feedback, of_fixpoint, np.zeros(num_gates, np.int32), 0)
    kept_until[first:][of_fixpoint != 0] = num_gates
    slots = np.arange(first + num_gates, dtype=np.int32)
    num_slots = allocate_slots(gates, order, readers, kept_until[first:], slots)
    return slots, num_slots


def _runs(
    netlist: Netlist, shapes: IntArray, order: IntArray, parts: IntArray
) -> tuple[IntArray, IntArray]:
    """Return the runs `[U, 4]`, and where the literals of each gate begin, `[G + 1]`."""
    starts = np.concatenate([[0], np.cumsum(np.diff(netlist.offsets)[order])]).astype(np.int32)
    in_order = shapes[order]
    begins = np.ones(len(order), np.bool_)
    begins[1:] = in_order[1:] != in_order[:-1]
    begins[parts[(parts > 0) & (parts < len(order))]] = True
    first = np.flatnonzero(begins)
    last = np.append(first[1:], len(order)) if len(first) else first
    runs = np.stack([in_order[first], first, last, starts[first]], axis=1).astype(np.int32)
    return runs, starts


def _sorted_literals(netlist: Netlist, order: IntArray, starts: IntArray) -> IntArray:
    sizes = np.diff(starts)
    gate = np.repeat(np.arange(len(order)), sizes)
    found = netlist.literals[np.arange(len(gate)) + (netlist.offsets[order] - starts[:-1])[gate]]
    sorted_literals: IntArray = found[np.lexsort((found & 1, gate))]
    return sorted_literals
