"""The kernels of the expander: children of many states at once, and playouts from them.

The states of a batch are in the first lanes, and are repeated in the other lanes: lane l has state
`l % num`.
"""

from __future__ import annotations

from typing import cast

import numpy as np

from gdl.circuit.and_gates import ZERO
from gdl.circuit.lanes.candidates import GROUP, Choices, load_at
from gdl.circuit.lanes.expander.block import Batch, unpack_arguments
from gdl.circuit.lanes.playouts.choose import choose_moves
from gdl.circuit.lanes.playouts.kernels import (
    CUT_GOAL,
    NONE,
    LaneState,
    advance,
    count_goals,
    settle,
    settle_from,
)
from gdl.circuit.lanes.tables import Tables
from gdl.circuit.lanes.vectors import (
    WORD_BITS,
    LaneArray,
    LaneVector,
    any_lane,
    at,
    count,
    load,
    load_literal,
    set_word,
    store,
    word,
    zero,
)
from gdl.circuit.lanes.words import load_packed, lowest, read_packed
from gdl.circuit.netlist import IntArray
from gdl.native.jit import lane_kernel

FIRST_BASE = cast("int", np.int64(1))  # slot of the first base


@lane_kernel
def expand(frame: LaneArray, num: int, phase: int, is_made: bool) -> None:
    """Make the moves of `num` parents, and write all results about their children.

    Args:
        frame: The lanes to work in, the game, and the batch with parents and moves, or children.
        is_made: Whether the moves are already made, so that the batch contains the children.
    """
    state, tables, batch = unpack_arguments(frame)
    values, num_bases = state.values, tables.num_bases
    given = batch.children if is_made else batch.parents
    load_packed(values, FIRST_BASE, given, num, num_bases, batch.transpose_buffer)
    while True:
        # Call `settle` only once in this kernel. For a second call, LLVM would not inline it, but
        # create a function that gets all tables as arguments.
        settle(values, tables, phase)
        if is_made:
            break
        set_inputs(values, batch, num, 1 + num_bases)
        advance(state, tables, phase, zero(values), False)
        read_packed(
            values,
            batch.base_places,
            batch.children.shape[1],
            batch.children,
            num,
            batch.transpose_buffer,
        )
        phase = phase + 1 if phase + 1 < len(tables.terminal) else 0
        is_made = True
    write_ends(state, tables, batch, num, phase)
    write_legal(values, batch, num, phase)


@lane_kernel
def set_inputs(values: LaneArray, batch: Batch, num: int, first_input: int) -> None:
    """Set the inputs of the moves in the first `num` lanes, and clear all other inputs."""
    for slot in range(first_input, first_input + batch.num_inputs):
        store(values, slot, zero(values))
    for lane in range(num):
        block, bit = lane // WORD_BITS, np.uint64(1) << np.uint64(lane % WORD_BITS)
        for role in range(batch.moves.shape[1]):
            slot = first_input + batch.moves[lane, role]
            set_word(values, slot, block, word(values, slot, block) | bit)


@lane_kernel
def write_ends(state: LaneState, tables: Tables, batch: Batch, num: int, phase: int) -> None:
    """Write which of the first `num` lanes are terminal, and their goals.

    The lanes must be settled.
    """
    transpose_buffer, one = batch.transpose_buffer, np.uint64(1)
    terminal = load_literal(state.values, at(tables.terminal, phase))
    store(transpose_buffer, 0, terminal)
    num_terminal = 0
    for lane in range(num):
        bit = word(transpose_buffer, 0, lane // WORD_BITS) >> np.uint64(lane % WORD_BITS) & one
        batch.is_terminal[lane] = np.uint8(bit)
        num_terminal += int(bit)
        for role in range(batch.goals.shape[1]):
            batch.goals[lane, role] = 0
    if num_terminal == 0:
        return
    count_goals(state, tables, phase, terminal)
    for goal in range(tables.goals.shape[1]):
        role, value = at(tables.goal_roles, goal), at(tables.goal_values, goal)
        store(transpose_buffer, 0, load(state.reached, goal))
        for block in range((num + WORD_BITS - 1) // WORD_BITS):
            bits = word(transpose_buffer, 0, block)
            while bits:
                batch.goals[block * WORD_BITS + lowest(bits), role] = value
                bits &= bits - one


@lane_kernel
def write_legal(values: LaneArray, batch: Batch, num: int, phase: int) -> None:
    """Write the legal inputs of the first `num` lanes. The lanes must be settled."""
    columns, candidates, bits_of = batch.columns[phase], batch.candidates[phase], batch.legal_bits
    num_roles = len(columns) - 1
    num_columns = at(columns, num_roles)
    read_packed(
        values, batch.legal_places[phase], num_columns, bits_of, num, batch.transpose_buffer
    )
    end = ZERO
    for lane in range(num):
        for role in range(num_roles):
            batch.legal_starts[lane * num_roles + role] = end
            for column in range(columns[role], columns[role + 1]):
                bits, first = bits_of[lane, column], column * WORD_BITS
                end = append_bits(batch.legal, end, bits, candidates, first)
    batch.legal_starts[num * num_roles] = end


@lane_kernel
def append_bits(found: IntArray, end: int, bits: np.uint64, numbers: IntArray, first: int) -> int:
    """Append to `found` those of 64 numbers from `first` on whose bits are set.

    Return the new end of the list.
    """
    while bits:
        found[end] = numbers[first + lowest(bits)]
        end += 1
        bits &= bits - np.uint64(1)
    return end


@lane_kernel
def play_out(frame: LaneArray, num: int, phase: int, rounds: int, limit: int) -> None:
    """Play at random from `num` children, and add up the goals of each.

    Args:
        frame: The lanes to work in, the game, and the children.
        rounds: How often each lane plays from its child.
        limit: The number of moves after which a playout is cut off.
    """
    state, tables, batch = unpack_arguments(frame)
    values, ended, starts = state.values, batch.ended, batch.starts
    num_phases, num_bases = len(tables.terminal), tables.num_bases
    load_packed(starts, ZERO, batch.children, num, num_bases, batch.transpose_buffer)
    idle = share_lanes(batch, num)
    for _ in range(rounds):
        for base in range(num_bases):
            store(values, 1 + base, load(starts, base))
        forget_moves(batch, values)
        over = idle
        kept = zero(values)
        now, step, is_playing = phase, 0, True
        while now != NONE:
            # Call `settle_from` only once, as in `expand`. After all lanes are over, the same call
            # prepares their goals.
            settle_from(values, tables, now, kept)
            if is_playing:
                new = load_literal(values, at(tables.terminal, now)) & ~over
                over = over | new
                store(ended, now, load(ended, now) | new)
                is_playing = step < limit and any_lane(~over)
            if is_playing:
                choose_moves(values, tables.choices, state.scratch, now)
                note_moves(values, tables.choices, batch, now, ~over)
                advance(state, tables, now, over, False)
                now = now + 1 if now + 1 < num_phases else 0
                step += 1
                kept = ~zero(values)
            elif any_lane(kept) and tables.blocks.starts[num_phases] > 0:
                kept = zero(values)  # the feedback of lanes that were over is from other phases
            else:
                add_goals(state, tables, batch, now)
                now = next_ended(ended, num_phases)
        add_undecided(batch, tables.choices, ~over)


@lane_kernel
def share_lanes(batch: Batch, num: int) -> LaneVector:
    """Give `num` states equally many lanes, and clear their totals.

    Return the lanes that are left over.
    """
    transpose_buffer = batch.transpose_buffer
    num_lanes = len(batch.leaf_of)
    for leaf in range(num):
        for role in range(batch.totals.shape[1]):
            batch.totals[leaf, role] = 0
    leaf = 0
    for lane in range(num_lanes):
        batch.leaf_of[lane] = leaf
        leaf = leaf + 1 if leaf + 1 < num else 0
    store(transpose_buffer, 0, zero(transpose_buffer))
    for lane in range(num_lanes - num_lanes % num, num_lanes):
        block, bit = lane // WORD_BITS, np.uint64(1) << np.uint64(lane % WORD_BITS)
        set_word(transpose_buffer, 0, block, word(transpose_buffer, 0, block) | bit)
    return load(transpose_buffer, 0)


@lane_kernel
def next_ended(ended: LaneArray, num_phases: int) -> int:
    """Return a phase with ended lanes whose goals are not added yet, or NONE."""
    for phase in range(num_phases):
        if any_lane(load(ended, phase)):
            return phase
    return NONE


@lane_kernel
def add_goals(state: LaneState, tables: Tables, batch: Batch, phase: int) -> None:
    """Add the goals of the lanes that ended in a phase. The lanes must be settled."""
    ended = load(batch.ended, phase)
    if not any_lane(ended):
        return
    store(batch.ended, phase, zero(state.values))
    count_goals(state, tables, phase, ended)
    num_goals = tables.goals.shape[1]
    for goal in range(num_goals + batch.totals.shape[1]):
        role, value, lanes = goal - num_goals, 0, ended
        if goal < num_goals:
            role, value = at(tables.goal_roles, goal), at(tables.goal_values, goal)
            lanes = load(state.reached, goal)
            add(batch, lanes, role, value)
        elif len(batch.made) > 0:
            lanes = without_goal(state, tables, ended, role)
        count_moves(batch, tables.choices, lanes, role, value)


@lane_kernel
def without_goal(state: LaneState, tables: Tables, ended: LaneVector, role: int) -> LaneVector:
    """Return the ended lanes in which no rule gives a role a goal. It gets 0 there."""
    lanes = ended
    for goal in range(tables.goals.shape[1]):
        if at(tables.goal_roles, goal) == role:
            lanes = lanes & ~load(state.reached, goal)
    return lanes


@lane_kernel
def add_undecided(batch: Batch, choices: Choices, lanes: LaneVector) -> None:
    """Add `CUT_GOAL` for each role and each of the given lanes, whose playouts were cut off."""
    if any_lane(lanes):
        for role in range(batch.totals.shape[1]):
            add(batch, lanes, role, CUT_GOAL)
            count_moves(batch, choices, lanes, role, CUT_GOAL)


@lane_kernel
def add(batch: Batch, lanes: LaneVector, role: int, value: int) -> None:
    """Add a goal to the totals of the states from which the given lanes played."""
    if value == 0:
        return
    one = np.uint64(1)
    store(batch.transpose_buffer, 0, lanes)
    for block in range(len(batch.leaf_of) // WORD_BITS):
        bits = word(batch.transpose_buffer, 0, block)
        while bits:
            batch.totals[batch.leaf_of[block * WORD_BITS + lowest(bits)], role] += value
            bits &= bits - one


@lane_kernel
def forget_moves(batch: Batch, values: LaneArray) -> None:
    """Clear the record of the moves that were chosen in the playouts so far."""
    for candidate in range(len(batch.made)):
        store(batch.made, candidate, zero(values))


@lane_kernel
def note_moves(
    values: LaneArray, choices: Choices, batch: Batch, phase: int, lanes: LaneVector
) -> None:
    """Record the moves that roles with a choice made in the given lanes."""
    if len(batch.made) == 0:
        return
    for role in range(choices.sizes.shape[1]):
        if choices.sizes[phase, role] > 1:
            first, last = int(choices.starts[phase, role]), int(choices.starts[phase, role + 1])
            for candidate in range(first * GROUP, last * GROUP):
                chosen = load_at(values, choices.does, candidate) & lanes
                store(batch.made, candidate, load(batch.made, candidate) | chosen)


@lane_kernel
def count_moves(batch: Batch, choices: Choices, lanes: LaneVector, role: int, value: int) -> None:
    """Count the recorded moves of a role in lanes where its goal is `value`."""
    if len(batch.made) == 0 or not any_lane(lanes):
        return
    width = len(batch.leaf_of) // WORD_BITS
    for phase in range(len(choices.sizes)):
        first, last = int(choices.starts[phase, role]), int(choices.starts[phase, role + 1])
        for candidate in range(first * GROUP, last * GROUP):
            number = choices.does[candidate] // width - batch.first_input
            if number < batch.num_inputs:  # skip the padding of a group
                num = count(load(batch.made, candidate) & lanes)
                batch.move_counts[number] += num
                batch.move_goals[number] += num * value
