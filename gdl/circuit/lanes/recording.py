"""The kernels that record playouts: while they go on, and what is told of them afterwards."""

from __future__ import annotations

import numpy as np

from gdl.circuit.lanes.batch import Batch
from gdl.circuit.lanes.candidates import GROUP, Choices
from gdl.circuit.lanes.frame import unframe
from gdl.circuit.lanes.places import load_at, store_at
from gdl.circuit.lanes.record import Record
from gdl.circuit.lanes.tables import Tables
from gdl.circuit.lanes.transpose import lowest, read_packed
from gdl.circuit.lanes.vectors import (
    WORD_BITS,
    LaneArray,
    LaneVector,
    any_lane,
    at,
    count,
    load,
    store,
    word,
    zero,
)
from gdl.circuit.native.jit import lane_kernel

CUT_GOAL = 50  # of a playout that was ended before its end: it says nothing about who wins


@lane_kernel
def begin_record(record: Record, first_input: int) -> None:
    """Forget what was played before."""
    for slot in range(first_input, first_input + len(record.tally_counts)):
        store(record.played, slot, zero(record.played))
    for row in range(record.reached.size):
        store(record.reached, row, zero(record.reached))


@lane_kernel
def note_moves(
    values: LaneArray, choices: Choices, record: Record, phase: int, playing: LaneVector
) -> None:
    """Note the moves that were chosen in the lanes that still play."""
    played, does = record.played, choices.does
    first, last = choices.starts[phase, 0], choices.starts[phase, choices.sizes.shape[1]]
    for index in range(int(first) * GROUP, int(last) * GROUP):
        before = load_at(played, does, index)
        store_at(played, does, index, before | (load_at(values, does, index) & playing))


@lane_kernel
def tell_record(frame: LaneArray) -> None:
    """Write for each lane which moves were made in the recorded playout, and its goals."""
    _, tables, batch = unframe(frame)
    record = batch.record
    num_lanes, num_words = record.made.shape
    read_packed(record.played, record.places, num_words, record.made, num_lanes, batch.square)
    for lane in range(num_lanes):
        for role in range(record.lane_goals.shape[1]):
            record.lane_goals[lane, role] = 0
    num_goals = tables.goals.shape[1]
    for goal in range(num_goals):
        value, role = at(tables.goal_values, goal), at(tables.goal_roles, goal)
        write_goals(batch, goal, value, role, role + 1)
    write_goals(batch, num_goals, CUT_GOAL, 0, record.lane_goals.shape[1])


@lane_kernel
def write_goals(batch: Batch, row: int, value: int, first_role: int, last_role: int) -> None:
    """Write a goal of some roles for the lanes that reached it."""
    reached, one = batch.record.reached, np.uint64(1)
    for block in range(len(batch.leaf_of) // WORD_BITS):
        bits = word(reached, row, block)
        while bits:
            lane = block * WORD_BITS + lowest(bits)
            for role in range(first_role, last_role):
                batch.record.lane_goals[lane, role] = value
            bits &= bits - one


@lane_kernel
def tally(frame: LaneArray) -> None:
    """Add the recorded playouts to the tally: for each input those in which it was made."""
    _, tables, batch = unframe(frame)
    record = batch.record
    first_input, num_goals = 1 + tables.num_bases, tables.goals.shape[1]
    for number in range(len(record.tally_counts)):
        record.tally_counts[number] += count(load(record.played, first_input + number))
    for goal in range(num_goals):
        value, role = at(tables.goal_values, goal), at(tables.goal_roles, goal)
        add_to_tally(record, tables, goal, value, role, role + 1)
    add_to_tally(record, tables, num_goals, CUT_GOAL, 0, len(record.role_starts) - 1)


@lane_kernel
def add_to_tally(
    record: Record, tables: Tables, row: int, value: int, first_role: int, last_role: int
) -> None:
    """Add a goal of some roles to their moves, for the lanes that reached it."""
    lanes = load(record.reached, row)
    if value == 0 or not any_lane(lanes):
        return
    first_input = 1 + tables.num_bases
    first, last = at(record.role_starts, first_role), at(record.role_starts, last_role)
    for number in range(first, last):
        num = count(load(record.played, first_input + number) & lanes)
        record.tally_goals[number] += value * num
