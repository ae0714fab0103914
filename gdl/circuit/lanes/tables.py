"""Schedules as the lane kernels read them: flat tables of all phases.

A game may be given as several schedules, its *phases*, which take turns. Phase 0 is for the first
state of a playout. Phase 1 follows, and after the last phase comes phase 0 again. All phases have
the same bases and inputs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.assembler.code import NO_CODE
from gdl.circuit.lanes.candidates import Choices, make_choices
from gdl.circuit.netlist import BoolArray, ByteArray, IntArray
from gdl.circuit.passes.split import dependents
from gdl.circuit.schedule import NUM_SEGMENTS, Schedule, Segment

TABLE_GATES = NO_CODE  # an entry of `Tables.code`: run the gates from the table, if there are any

FIXPOINT_ROUNDS = 5  # typical number of passes over the feedback nodes until nothing changes


class Blocks(NamedTuple):
    """The `K` blocks of feedback nodes of all `P` phases."""

    starts: IntArray  # [P + 1] where the blocks of each phase begin
    nodes: IntArray  # [K + 1] where the nodes of each block begin
    runs: IntArray  # [K, 2] first run, and index after the last run
    code: NDArray[np.int64]  # [K] address of machine code, or TABLE_GATES
    reader_starts: IntArray  # [K + 1] where the readers of each block begin
    readers: IntArray  # blocks that read a node of a block, for one block after the other
    is_kept: BoolArray  # [P] whether all nodes that were true in the preceding phase stay true
    is_affected: ByteArray  # [K] whether each block reads what changed since the preceding phase
    first_slot: int  # of the nodes, in every phase
    is_waiting: ByteArray  # [K] whether each block has to be evaluated; changed by the kernels


class Tables(NamedTuple):
    """Input of the kernels.

    There are `P` phases, `S` segments, `U` runs, `G` gates, `A` changing bases, and `K` goals.
    """

    segments: IntArray  # [P, S, 2] first run, and index after the last run
    runs: IntArray  # [U, 4] as in `Schedule`
    targets: IntArray  # [G] in words
    sources: IntArray  # in words
    code: NDArray[np.int64]  # [P, S] address of machine code, or TABLE_GATES
    feedback: IntArray  # place that defines each feedback node
    is_kept: ByteArray  # whether each feedback node is true if it was true in the preceding state
    blocks: Blocks
    terminal: IntArray  # [P] place
    goals: IntArray  # [P, K] places
    goal_roles: IntArray  # [K]
    goal_values: IntArray  # [K]
    goals_wait: BoolArray  # [P] whether goals wait, to be found for many ended playouts at once
    advance: IntArray  # [P, A] places of the next values
    advance_slots: IntArray  # [P, A] slots of the bases, first those that take another's value
    num_crossing: IntArray  # [P] the number of bases that take the value of another base
    num_changing: IntArray  # [P] the number of all bases that change; the rest keep their value
    choices: Choices
    num_slots: int
    num_bases: int


def make_tables(schedules: Sequence[Schedule], width: int) -> Tables:
    """Return the tables of a game, given a single schedule or one for each phase."""
    first = schedules[0]
    num_slots = 2 + max(plan.num_slots for plan in schedules)
    segments, runs = _runs(schedules)
    changing = _changing_bases(schedules)
    advance = [_advance(plan, changing) for plan in schedules]
    return Tables(
        segments=segments,
        runs=runs,
        targets=np.concatenate([plan.targets for plan in schedules]) * np.int32(width),
        sources=np.concatenate([plan.sources for plan in schedules]) * np.int32(width),
        code=np.full((len(schedules), NUM_SEGMENTS), TABLE_GATES, np.int64),
        feedback=np.concatenate([plan.feedback for plan in schedules]),
        is_kept=np.concatenate(_kept(schedules)),
        blocks=_blocks(schedules),
        terminal=np.array([plan.terminal for plan in schedules], np.int32),
        goals=np.array([plan.goals for plan in schedules], np.int32),
        goal_roles=np.array([role for role, _, _ in first.netlist.goals], np.int32),
        goal_values=np.array([value for _, value, _ in first.netlist.goals], np.int32),
        goals_wait=np.array([_goals_wait(plan) for plan in schedules]),
        advance=np.array([places for places, _, _ in advance], np.int32),
        advance_slots=np.array([slots for _, slots, _ in advance], np.int32),
        num_crossing=np.array([numbers[0] for _, _, numbers in advance], np.int32),
        num_changing=np.array([sum(numbers[:2]) for _, _, numbers in advance], np.int32),
        choices=make_choices(schedules, num_slots - 2, width),
        num_slots=num_slots,
        num_bases=first.netlist.num_bases,
    )


def _goals_wait(plan: Schedule) -> bool:
    """Return whether to keep final states and find the goals of many at once.

    This is worthwhile if the gates of goals cost much more than all gates before them. In the worst
    case, if every playout takes two moves, it saves nothing.
    """
    gates = [
        int(np.diff(plan.runs[first:last, 1:3]).sum()) for first, last in pairwise(plan.segments)
    ]
    loops = FIXPOINT_ROUNDS * gates[Segment.LOOP]
    settled = gates[Segment.BEFORE] + loops + gates[Segment.TERMINAL] + gates[Segment.LEGAL]
    return gates[Segment.GOAL] > 2 * (settled + plan.netlist.num_bases)


def constant_slot(tables: Tables) -> int:
    """Return the slot that must be true in all lanes. The slot after it is never read."""
    return tables.num_slots - 2


def _runs(schedules: Sequence[Schedule]) -> tuple[IntArray, IntArray]:
    segments, runs = [], []
    num_runs = num_gates = num_sources = 0
    for plan in schedules:
        bounds = plan.segments + num_runs
        segments.append(np.stack([bounds[:-1], bounds[1:]], axis=1))
        runs.append(plan.runs + np.array([0, num_gates, num_gates, num_sources], np.int32))
        num_runs += len(plan.runs)
        num_gates += len(plan.targets)
        num_sources += len(plan.sources)
    return np.array(segments, np.int32), np.concatenate(runs).astype(np.int32)


def _kept(schedules: Sequence[Schedule]) -> list[ByteArray]:
    kept = []
    for plan, before in zip(schedules, [schedules[-1], *schedules], strict=False):
        growth, old = plan.netlist.growth, before.netlist.growth
        num = min(len(growth), len(old))
        is_kept = np.zeros(len(plan.feedback), np.uint8)
        is_kept[:num] = (growth[:num] >= 0) & (growth[:num] == old[:num])
        kept.append(is_kept)
    return kept


def _affected(schedules: Sequence[Schedule]) -> list[ByteArray]:
    affected = []
    for plan, before in zip(schedules, [schedules[-1], *schedules], strict=False):
        netlist = plan.netlist
        own = 2 * np.arange(1, netlist.first_input)
        changes = dependents(netlist, 1 + np.flatnonzero(before.netlist.next != own))
        is_affected = changes[netlist.feedback >> 1]
        affected.append(np.array([is_affected[a:b].any() for a, b in pairwise(_bounds(plan))]))
    return [np.asarray(part, np.uint8) for part in affected]


def _bounds(plan: Schedule) -> IntArray:
    netlist = plan.netlist
    if len(netlist.blocks):
        return netlist.blocks
    return np.array([0, len(netlist.feedback)][: 1 + bool(len(netlist.feedback))], np.int32)


def _blocks(schedules: Sequence[Schedule]) -> Blocks:
    nodes, runs, readers, reader_starts = [0], [], [], [0]
    starts = [0]
    num_runs = 0
    for plan in schedules:
        bounds = _bounds(plan)
        if len(bounds) > 1:
            nodes += (nodes[-1] + bounds[1:]).tolist()
            runs += (num_runs + np.stack([plan.blocks[:-1], plan.blocks[1:]], axis=1)).tolist()
            for of_one in _readers(plan, bounds):
                readers += (starts[-1] + of_one).tolist()
                reader_starts.append(len(readers))
        starts.append(len(runs))
        num_runs += len(plan.runs)
    return Blocks(
        starts=np.array(starts, np.int32),
        nodes=np.array(nodes, np.int32),
        runs=np.array(runs, np.int32).reshape(-1, 2),
        code=np.full(len(runs), TABLE_GATES, np.int64),
        reader_starts=np.array(reader_starts, np.int32),
        readers=np.array(readers, np.int32),
        is_kept=np.array([part.all() for part in _kept(schedules)]),
        is_affected=np.concatenate(_affected(schedules)),
        first_slot=schedules[0].netlist.first_feedback,
        is_waiting=np.zeros(len(runs), np.uint8),
    )


def _readers(plan: Schedule, bounds: IntArray) -> Iterator[IntArray]:
    num_blocks = len(bounds) - 1
    block_of = np.repeat(np.arange(num_blocks), np.diff(bounds))
    ends = np.append(plan.runs[:, 3], len(plan.sources))
    first, last = ends[plan.blocks[0]], ends[plan.blocks[-1]]
    sources = plan.sources[first:last]
    reader = np.repeat(np.arange(num_blocks), np.diff(ends[plan.blocks]))
    # A node may be defined by another node.
    sources = np.concatenate([sources, plan.feedback >> 1]) - plan.netlist.first_feedback
    reader = np.concatenate([reader, block_of])
    is_fed_back = (sources >= 0) & (sources < len(block_of))
    pairs = np.unique(np.stack([block_of[sources[is_fed_back]], reader[is_fed_back]]), axis=1)
    for block in range(num_blocks):
        yield pairs[1, pairs[0] == block].astype(np.int32)


def _changing_bases(schedules: Sequence[Schedule]) -> IntArray:
    num_bases = schedules[0].netlist.num_bases
    own = 2 * np.arange(1, num_bases + 1)
    changes = np.zeros(num_bases, np.bool_)
    for plan in schedules:
        changes |= plan.next != own
    return np.flatnonzero(changes).astype(np.int32)


def _advance(plan: Schedule, bases: IntArray) -> tuple[IntArray, IntArray, IntArray]:
    """Return the places of next values, the slots of bases, and the number of bases of each kind.

    There are three kinds, in this order: bases that take the value of another base, bases that take
    the value of a gate, and bases that keep their own value.
    """
    places = plan.next[bases]
    slots = bases + np.int32(1)
    is_base = (places >> 1 <= plan.netlist.num_bases) & (places >> 1 > 0)
    kinds = np.where(places == 2 * slots, 2, np.where(is_base, 0, 1))
    order = np.argsort(kinds, kind="stable")
    numbers = np.bincount(kinds, minlength=3).astype(np.int32)
    return places[order], slots[order], numbers
