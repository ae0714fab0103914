"""The schedule: in which order a netlist's gates are evaluated, and where each value is kept.

Gates stand in *segments* that are evaluated one after another, so that a reader evaluates no more
than it wants: `before` and `loop` find the least fixpoint of the feedback nodes, then come
`terminal`, `legal`, `goal` and `next`. A gate stands in the first segment that needs it; nothing
after `goal` reads a gate of `goal`, so that segment may be left out.

Within a segment, gates of the same *shape* (so many plain literals, so many complemented ones)
stand together in runs, as long as topological order allows: a run is a loop without a branch. A
value is kept in a *slot*; the slot of a gate is used again when nobody reads the gate any more.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from typing import cast

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.netlist import IntArray, Netlist

MAX_GATE_INPUTS = 4

# Long runs read far and wide. Where values do not fit the cache nearest to all of them, gates are
# ordered in windows, neighbours of the netlist's order staying together: hex is 1.3 times faster
# so, reversi, whose values fit, 1.3 times slower.
WINDOW = 500  # gates
MANY_SLOTS = 8000  # of gates, 0.5 MB in lanes of 512


class Segment(IntEnum):
    """The segments, in the order of their evaluation."""

    BEFORE = 0  # what feedback needs and does not depend on it
    LOOP = 1  # what feedback needs and depends on it: evaluated until nothing changes
    TERMINAL = 2
    LEGAL = 3  # and what both goal and next need
    GOAL = 4
    NEXT = 5


NUM_SEGMENTS = len(Segment)


@dataclass(frozen=True, eq=False)
class Schedule:
    """A netlist in flat arrays. `G` gates, `U` runs, `S` segments.

    Slots of constant, bases, inputs and feedback are their nodes; gates follow. A *place* is a
    literal of slots: twice a slot, plus one if it is complemented.

    Attributes:
        netlist: What was scheduled.
        num_slots: How many values there are.
        segments: `[S + 1]` where the runs of each segment begin in `runs`.
        runs: `[U, 4]` shape (see `shape_of`), first gate, last gate + 1, where the first gate's
            sources begin in `sources`.
        targets: `[G]` the slot of each gate.
        sources: Slots of the gates' literals, plain ones first.
        next: `[B]` place of each base's next value.
        legal: `[I]` place of each input's legality.
        terminal: Place.
        goals: Place of each goal of the netlist.
        feedback: `[F]` place that defines each feedback node.
        blocks: `[K + 1]` where the runs of each block of the loop begin in `runs`; one block where
            the netlist has none.
    """

    netlist: Netlist
    num_slots: int
    segments: IntArray  # [S + 1]
    runs: IntArray  # [U, 4]
    targets: IntArray  # [G]
    sources: IntArray
    next: IntArray  # [B]
    legal: IntArray  # [I]
    terminal: int
    goals: IntArray
    feedback: IntArray  # [F]
    blocks: IntArray  # [K + 1]


def shape_of(num_plain: int, num_complemented: int) -> int:
    """The number of a shape."""
    return num_plain * (MAX_GATE_INPUTS + 1) + num_complemented


def schedule(netlist: Netlist, *, straight: bool = False) -> Schedule:
    """Order the gates of a netlist and give them slots.

    Args:
        netlist: Each of its gates has 1 to `MAX_GATE_INPUTS` literals.
        straight: Keep gates in depth-first order, as straight-line code wants them: it needs no
            runs, and few values are alive at a time.
    """
    gates = _Gates(netlist)
    members = _parts(netlist, gates)
    num_blocks = len(members) - (NUM_SEGMENTS - 1)
    order, runs, parts = _ordered(gates, members, 1 if straight else max(1, len(gates)))
    segments = _without_blocks(parts, num_blocks)
    slots, num_slots = _allocate(netlist, gates, order, _first_of_next(order, runs, segments))
    if not straight and num_slots - netlist.first_gate > MANY_SLOTS:
        order, runs, parts = _ordered(gates, members, WINDOW)
        segments = _without_blocks(parts, num_blocks)
        slots, num_slots = _allocate(netlist, gates, order, _first_of_next(order, runs, segments))
    blocks = parts[Segment.LOOP : Segment.LOOP + num_blocks + 1]
    sources = [lit for node in order for lit in gates.sorted_literals(node)]
    starts = np.cumsum([0] + [len(gates.literals(node)) for node in order])

    def places(literals: Iterable[int]) -> IntArray:
        array = np.fromiter(literals, np.int32)
        return cast(IntArray, slots[array >> 1] << 1 | array & 1)

    return Schedule(
        netlist=netlist,
        num_slots=num_slots,
        segments=np.array(segments, np.int32),
        runs=np.array(
            [(shape, first, last, starts[first]) for shape, first, last in runs], np.int32
        ).reshape(-1, 4),
        targets=slots[np.array(order, np.int32)],
        sources=slots[np.array(sources, np.int32) >> 1],
        next=places(netlist.next),
        legal=places(netlist.legal),
        terminal=int(places([netlist.terminal])[0]),
        goals=places(literal for _, _, literal in netlist.goals),
        feedback=places(netlist.feedback),
        blocks=np.array(blocks, np.int32),
    )


class _Gates:
    """The gates of a netlist as Python lists, which are quicker to walk than arrays."""

    def __init__(self, netlist: Netlist) -> None:
        self.first = netlist.first_gate
        sizes = np.diff(netlist.offsets)
        assert not len(sizes) or 1 <= sizes.min() <= sizes.max() <= MAX_GATE_INPUTS
        offsets = netlist.offsets.tolist()
        flat = netlist.literals.tolist()
        self._literals: list[list[int]] = [flat[first:last] for first, last in pairwise(offsets)]
        complemented = np.concatenate([[0], np.cumsum(netlist.literals & 1)])[netlist.offsets]
        negatives = np.diff(complemented)
        pairs = zip((sizes - negatives).tolist(), negatives.tolist(), strict=True)
        self._shapes = [shape_of(*pair) for pair in pairs]

    def __len__(self) -> int:
        return len(self._literals)

    def literals(self, node: int) -> list[int]:
        """The literals of a gate."""
        return self._literals[node - self.first]

    def sorted_literals(self, node: int) -> list[int]:
        """The literals of a gate, plain ones first."""
        return sorted(self._literals[node - self.first], key=_is_complemented)

    def shape(self, node: int) -> int:
        """The shape of a gate."""
        return self._shapes[node - self.first]

    def cone(self, literals: Iterable[int], done: set[int]) -> list[int]:
        """The gates that literals need and that are not done; they become done.

        In depth-first order, each after its sources: what belongs together stands together.
        """
        found = []
        pending = [literal >> 1 for literal in literals]
        pending.reverse()
        while pending:
            node = pending[-1]
            sources = [] if node in done or node < self.first else self.literals(node)
            missing = [lit >> 1 for lit in sources if lit >> 1 >= self.first]
            missing = [source for source in missing if source not in done]
            if missing:
                pending += missing
                continue
            pending.pop()
            if sources:
                done.add(node)
                found.append(node)
        return found


def _is_complemented(literal: int) -> int:
    return literal & 1


def _parts(netlist: Netlist, gates: _Gates) -> list[list[int]]:
    """The gates of each segment, in topological order; of the loop, those of each block."""
    done: set[int] = set()
    bounds = netlist.blocks.tolist() or [0, len(netlist.feedback)]
    feedback = netlist.feedback.tolist()
    blocks = [gates.cone(feedback[first:last], done) for first, last in pairwise(bounds)]
    fixpoint = [node for block in blocks for node in block]
    moving = set(range(netlist.first_feedback, netlist.first_gate))
    for node in fixpoint:
        if any(literal >> 1 in moving for literal in gates.literals(node)):
            moving.add(node)
    goals = [literal for _, _, literal in netlist.goals]
    terminal = gates.cone([netlist.terminal], done)
    legal = gates.cone(netlist.legal.tolist(), done)
    asked_by_next = set(gates.cone(netlist.next.tolist(), set(done)))
    shared = [node for node in gates.cone(goals, set(done)) if node in asked_by_next]
    done.update(shared)
    return [
        [node for node in fixpoint if node not in moving],
        *([node for node in block if node in moving] for block in blocks),
        terminal,
        [*legal, *shared],
        gates.cone(goals, done),
        gates.cone(netlist.next.tolist(), done),
    ]


def _without_blocks(parts: Sequence[int], num_blocks: int) -> list[int]:
    """Where segments begin: blocks are parts of the loop."""
    return [*parts[: Segment.LOOP + 1], *parts[Segment.LOOP + num_blocks :]]


def _ordered(
    gates: _Gates, parts: Sequence[Sequence[int]], window: int
) -> tuple[list[int], list[tuple[int, int, int]], list[int]]:
    """All gates in their order; runs (shape, first, last + 1); where each part's runs begin."""
    order: list[int] = []
    runs: list[tuple[int, int, int]] = []
    starts = [0]
    for members in parts:
        for first in range(0, len(members), window):
            _append_runs(gates, members[first : first + window], order, runs)
        starts.append(len(runs))
    return order, runs, starts


def _first_of_next(
    order: Sequence[int], runs: Sequence[tuple[int, int, int]], segments: Sequence[int]
) -> int:
    """The step at which the gates of `NEXT` begin."""
    first_run = segments[Segment.NEXT]
    return runs[first_run][1] if first_run < len(runs) else len(order)


def _append_runs(
    gates: _Gates, members: Sequence[int], order: list[int], runs: list[tuple[int, int, int]]
) -> None:
    """Order the gates of a segment, always taking the shape of which most gates are ready."""
    inside = set(members)
    waiting: dict[int, int] = {}
    readers: dict[int, list[int]] = {}
    ready: dict[int, list[int]] = {}
    for node in members:
        sources = inside.intersection(literal >> 1 for literal in gates.literals(node))
        waiting[node] = len(sources)
        for source in sources:
            readers.setdefault(source, []).append(node)
        if not sources:
            ready.setdefault(gates.shape(node), []).append(node)
    while ready:
        shape = max(ready, key=lambda shape: len(ready[shape]))
        first = len(order)
        run = ready[shape]
        for node in run:  # grows while it is walked
            order.append(node)
            for reader in readers.get(node, ()):
                waiting[reader] -= 1
            for reader in [reader for reader in readers.get(node, ()) if not waiting[reader]]:
                ready.setdefault(gates.shape(reader), []).append(reader)
        runs.append((shape, first, len(order)))
        del ready[shape]


def _allocate(
    netlist: Netlist, gates: _Gates, order: Sequence[int], first_of_next: int
) -> tuple[NDArray[np.int32], int]:
    """The slot of each node, and how many slots there are."""
    freed: dict[int, list[int]] = {}
    for node, step in _last_reads(netlist, gates, order, first_of_next).items():
        if node >= gates.first:
            freed.setdefault(step, []).append(node)
    slots = list(range(gates.first)) + [0] * len(gates)
    num_slots = gates.first
    free: list[int] = []
    for step, node in enumerate(order):
        if free:
            slots[node] = free.pop()
        else:
            slots[node] = num_slots
            num_slots += 1
        free += [slots[unread] for unread in freed.get(step, ())]
    return np.array(slots, np.int32), num_slots


def _last_reads(
    netlist: Netlist, gates: _Gates, order: Sequence[int], first_of_next: int
) -> dict[int, int]:
    """The step in which each gate is read for the last time; past the end for those to keep.

    Moves are chosen before the first step of `NEXT`, so what says which are legal is read until
    then. What the loop reads is read again in each round, and is kept.
    """
    last_reads = {}
    for step, node in enumerate(order):
        for literal in gates.literals(node):
            last_reads[literal >> 1] = step
    readable = [netlist.terminal, *netlist.legal.tolist()]
    readable += [literal for _, _, literal in netlist.goals]
    for literal in readable:
        last_reads[literal >> 1] = max(last_reads.get(literal >> 1, 0), first_of_next)
    kept = [literal >> 1 for literal in netlist.next.tolist()]
    for node in [*kept, *gates.cone(netlist.feedback.tolist(), set())]:
        last_reads[node] = len(order)
    return last_reads
