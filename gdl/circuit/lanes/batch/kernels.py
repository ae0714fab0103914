"""The kernels of a batch of states: they make the caller's moves and write all results.

The states are in blocks of as many states as there are lanes. In a block, each base is a vector.
One block after the other is loaded into the lanes, advanced and stored.
"""

from __future__ import annotations

from typing import cast

import numpy as np

from gdl.circuit.lanes.batch.arrays import (
    LOOK,
    NEXT_STEP,
    NO_MOVE,
    ONE,
    SAME_STEP,
    Bytes,
    StepArrays,
)
from gdl.circuit.lanes.playouts.kernels import LaneState, advance, count_goals, settle
from gdl.circuit.lanes.tables import Tables
from gdl.circuit.lanes.vectors import (
    WORD_BITS,
    LaneArray,
    LaneVector,
    any_lane,
    at,
    load,
    load_literal,
    put,
    set_word,
    store,
    word,
    zero,
)
from gdl.circuit.lanes.words import count_bits, lowest, match, spread, transpose
from gdl.circuit.netlist import IntArray
from gdl.native.jit import lane_kernel

_PHASE = cast("int", np.int64(0))  # all states are treated alike, no matter whose turn it is


@lane_kernel
def step_blocks(
    arrays: StepArrays, first: int, last: int, mode: int, state: LaneState, tables: Tables
) -> None:
    """Make the chosen actions in some blocks of states, and write all results.

    Args:
        first: The first block.
        last: The index after the last block.
        mode: What happens to states whose game is over. With LOOK, no actions are made.
        state: Lanes to work in. They start from the first state of the game.
        tables: The game, with a single phase for all states.
    """
    values, num_bases = state.values, len(arrays.bases) // len(arrays.over)
    num_lanes = len(arrays.is_terminal) // len(arrays.over)
    for block in range(first, last):
        row = block * num_lanes
        for base in range(num_bases):
            store(values, 1 + base, load(arrays.bases, block * num_bases + base))
        over = load(arrays.over, block)
        is_made = mode == LOOK
        blind = ~zero(values)
        while True:
            settle(values, tables, _PHASE)
            if is_made:
                break
            set_actions(values, arrays, row, num_lanes)
            advance(state, tables, _PHASE, over, mode == NEXT_STEP)
            held = hold(values, arrays, block, num_lanes, num_bases)
            blind = held | over
            over = over & held if mode == NEXT_STEP else over
            is_made = True
        ended = over | load_literal(values, at(tables.terminal, _PHASE))
        write_ends(state, tables, arrays, row, num_lanes, ended)
        write_facts(values, arrays, row, num_lanes)
        write_legal(values, arrays, row, num_lanes)
        write_percepts(values, arrays, row, num_lanes, blind)
        if mode == SAME_STEP and any_lane(ended):
            begin_anew(arrays, row, num_lanes)
            for base in range(num_bases):
                value = load(values, 1 + base)
                start = load(state.starts, at(state.start_rows, base))
                store(values, 1 + base, (value & ~ended) | (start & ended))
            ended = zero(values)
        for base in range(num_bases):
            store(arrays.bases, block * num_bases + base, load(values, 1 + base))
        store(arrays.over, block, ended)


@lane_kernel
def set_actions(values: LaneArray, arrays: StepArrays, first_row: int, num: int) -> None:
    """Set the inputs of the chosen actions in `num` states, and clear all other inputs."""
    for role in range(len(arrays.sizes)):
        start = role * len(arrays.is_terminal) + first_row
        if at(arrays.sizes, role) <= WORD_BITS:
            set_by_action(values, arrays, role, start, num)
        else:
            set_by_lane(values, arrays, role, start, num)


@lane_kernel
def set_by_action(values: LaneArray, arrays: StepArrays, role: int, start: int, num: int) -> None:
    """Set the inputs of a role in `num` lanes: find the lanes that chose each action."""
    first = WORD_BITS * at(arrays.columns, role)
    for action in range(at(arrays.sizes, role)):
        slot = at(arrays.input_slots, first + action)
        for block in range(num // WORD_BITS):
            bits = match(arrays.chosen, start + block * WORD_BITS, action)
            set_word(values, slot, block, bits)


@lane_kernel
def set_by_lane(values: LaneArray, arrays: StepArrays, role: int, start: int, num: int) -> None:
    """Set the inputs of a role in `num` lanes: look up the action that each lane chose.

    This is faster for roles with many actions.
    """
    first = WORD_BITS * at(arrays.columns, role)
    for action in range(at(arrays.sizes, role)):
        store(values, at(arrays.input_slots, first + action), zero(values))
    for lane in range(num):
        action = at(arrays.chosen, start + lane)
        if action != NO_MOVE:
            slot, block = at(arrays.input_slots, first + action), lane // WORD_BITS
            bit = ONE << np.uint64(lane % WORD_BITS)
            set_word(values, slot, block, word(values, slot, block) | bit)


@lane_kernel
def hold(values: LaneArray, arrays: StepArrays, block: int, num: int, num_bases: int) -> LaneVector:
    """Restore those states of a block that the step does not advance. Return their lanes."""
    held = arrays.transpose_buffer
    for part in range(num // WORD_BITS):
        set_word(held, 0, part, match(arrays.moving, block * num + part * WORD_BITS, 0))
    held_lanes = load(held, 0)
    if any_lane(held_lanes):
        for base in range(num_bases):
            old = load(arrays.bases, block * num_bases + base)
            value = load(values, 1 + base)
            store(values, 1 + base, (value & ~held_lanes) | (old & held_lanes))
    return held_lanes


@lane_kernel
def write_ends(
    state: LaneState,
    tables: Tables,
    arrays: StepArrays,
    first_row: int,
    num: int,
    ended: LaneVector,
) -> None:
    """Write which of `num` states are terminal, and their goals. The lanes must be settled."""
    buffer, num_rows = arrays.transpose_buffer, len(arrays.is_terminal)
    store(buffer, 0, ended)
    for block in range(num // WORD_BITS):
        spread(word(buffer, 0, block), arrays.is_terminal, first_row + block * WORD_BITS)
    for role in range(len(arrays.sizes)):
        arrays.goals[role * num_rows + first_row : role * num_rows + first_row + num] = 0
    if not any_lane(ended):
        return
    count_goals(state, tables, _PHASE, load_literal(state.values, at(tables.terminal, _PHASE)))
    for goal in range(tables.goals.shape[1]):
        role, value = at(tables.goal_roles, goal), at(tables.goal_values, goal)
        store(buffer, 0, load(state.reached, goal))
        for block in range(num // WORD_BITS):
            bits = word(buffer, 0, block)
            while bits:
                row = first_row + block * WORD_BITS + lowest(bits)
                arrays.goals[role * num_rows + row] = value
                bits &= bits - ONE


@lane_kernel
def write_facts(values: LaneArray, arrays: StepArrays, first_row: int, num: int) -> None:
    """Write the facts of `num` states. The lanes must be settled."""
    num_columns, buffer = arrays.packed.shape[1], arrays.transpose_buffer
    size = len(arrays.observations) // len(arrays.is_terminal)
    for column in range(num_columns - 1, -1, -1):
        gather(values, arrays.fact_places, column, buffer)
        for block in range(num // WORD_BITS):
            row = first_row + block * WORD_BITS
            for lane in range(WORD_BITS):
                bits = word(buffer, lane, block)
                put(arrays.packed, (row + lane) * num_columns + column, bits)
        place = first_row * size
        end = place + num * size
        write_bytes(buffer, arrays.observations, place + column * WORD_BITS, size, num, end)


@lane_kernel
def write_legal(values: LaneArray, arrays: StepArrays, first_row: int, num: int) -> None:
    """Write the legal moves of each role in `num` states. The lanes must be settled."""
    buffer = arrays.transpose_buffer
    for role in range(len(arrays.sizes)):
        size = at(arrays.sizes, role)
        place = at(arrays.mask_starts, role) + first_row * size
        end = place + num * size
        first, last = at(arrays.columns, role), at(arrays.columns, role + 1)
        for column in range(last - 1, first - 1, -1):
            gather(values, arrays.legal_places, column, buffer)
            write_words(arrays, role, column, first_row, num)
            write_bytes(buffer, arrays.masks, place + (column - first) * WORD_BITS, size, num, end)


@lane_kernel
def write_percepts(
    values: LaneArray, arrays: StepArrays, first_row: int, num: int, blind: LaneVector
) -> None:
    """Write what the roles saw in `num` states. In the lanes `blind`, no move was made."""
    buffer, num_rows = arrays.transpose_buffer, len(arrays.is_terminal)
    for column in range(len(arrays.percept_places) // WORD_BITS):
        for index in range(WORD_BITS):
            place = at(arrays.percept_places, column * WORD_BITS + index)
            store(buffer, index, load_literal(values, place) & ~blind)
        transpose(buffer)
        for block in range(num // WORD_BITS):
            row = column * num_rows + first_row + block * WORD_BITS
            for lane in range(WORD_BITS):
                put(arrays.percepts, row + lane, word(buffer, lane, block))


@lane_kernel
def put_states(arrays: StepArrays, first: int, last: int, replaced: LaneArray) -> None:
    """Set the states of some rows to those in `packed`.

    Args:
        first: The first block.
        last: The index after the last block.
        replaced: `[K]` in each block, the lanes of the rows to set.
    """
    buffer, num_columns = arrays.transpose_buffer, arrays.packed.shape[1]
    num_bases = len(arrays.bases) // len(arrays.over)
    num = len(arrays.is_terminal) // len(arrays.over)
    for block in range(first, last):
        new = load(replaced, block)
        if not any_lane(new):
            continue
        store(arrays.over, block, load(arrays.over, block) & ~new)
        for column in range(num_columns):
            for lane in range(num):
                bits = arrays.packed[block * num + lane, column]
                set_word(buffer, lane % WORD_BITS, lane // WORD_BITS, bits)
            transpose(buffer)
            for index in range(min(WORD_BITS, num_bases - column * WORD_BITS)):
                base = (at(arrays.fact_places, column * WORD_BITS + index) >> 1) - 1
                old = load(arrays.bases, block * num_bases + base)
                value = (load(buffer, index) & new) | (old & ~new)
                store(arrays.bases, block * num_bases + base, value)


@lane_kernel
def write_words(arrays: StepArrays, role: int, column: int, first_row: int, num: int) -> None:
    """Write a column of a role's legal moves from the buffer, and count the moves."""
    buffer, num_rows = arrays.transpose_buffer, len(arrays.is_terminal)
    is_first = column == at(arrays.columns, role + 1) - 1
    for block in range(num // WORD_BITS):
        for lane in range(WORD_BITS):
            row = first_row + block * WORD_BITS + lane
            bits = word(buffer, lane, block)
            put(arrays.legal, column * num_rows + row, bits)
            others = 0 if is_first else at(arrays.num_legal, role * num_rows + row)
            put(arrays.num_legal, role * num_rows + row, others + count_bits(bits))


@lane_kernel
def write_bytes(
    buffer: LaneArray, target: Bytes, place: int, size: int, num: int, end: int
) -> None:
    """Write 64 columns of `num` rows as bytes.

    All 64 bytes are written even if fewer belong to the row. The surplus bytes are overwritten
    later, because rows are written in ascending order and their columns in descending order. After
    the last row no surplus bytes are written.

    Args:
        buffer: A word for each row, with a bit for each column.
        target: The array of rows.
        place: Where the columns begin in the first row.
        size: Bytes of a row.
        end: Where the last row ends.
    """
    for block in range(num // WORD_BITS):
        first = place + block * WORD_BITS * size
        for lane in range(WORD_BITS):
            spread_within(word(buffer, lane, block), target, first + lane * size, end)


@lane_kernel
def gather(values: LaneArray, places: IntArray, column: int, buffer: LaneArray) -> None:
    """Copy the values at the 64 places of a column into the buffer, as a word for each lane."""
    for index in range(WORD_BITS):
        store(buffer, index, load_literal(values, at(places, column * WORD_BITS + index)))
    transpose(buffer)


@lane_kernel
def spread_within(bits: np.uint64, target: Bytes, place: int, end: int) -> None:
    """Write 64 bits as bytes, but no further than `end`.

    If there is room, all 64 bytes are written even if fewer belong to the row, see `write_bytes`.
    """
    if place + WORD_BITS <= end:
        spread(bits, target, place)
    else:
        for index in range(place, end):
            target[index] = np.uint8(bits & ONE)
            bits >>= ONE


@lane_kernel
def begin_anew(arrays: StepArrays, first_row: int, num: int) -> None:
    """Replace the results of terminal states by those of the first state.

    Copy the observations of the terminal states to `finals` first.
    """
    num_rows = len(arrays.is_terminal)
    size = len(arrays.observations) // num_rows
    for row in range(first_row, first_row + num):
        if not arrays.is_terminal[row]:
            continue
        for index in range(row * size, (row + 1) * size):
            arrays.finals[index] = arrays.observations[index]
            arrays.observations[index] = arrays.first_observation[index - row * size]
        for column in range(arrays.packed.shape[1]):
            arrays.packed[row, column] = arrays.first_packed[column]
        for column in range(len(arrays.first_legal)):
            arrays.legal[column * num_rows + row] = arrays.first_legal[column]
        source = 0
        for role in range(len(arrays.sizes)):
            arrays.num_legal[role * num_rows + row] = arrays.first_num_legal[role]
            length = at(arrays.sizes, role)
            target = at(arrays.mask_starts, role) + row * length
            for index in range(length):
                arrays.masks[target + index] = arrays.first_masks[source + index]
            source += length
