"""The kernels of a batch of states: the caller's moves in, states, legal moves and goals out.

The states stand in blocks of as many as there are lanes, each base a vector. One block after the
other is brought into the lanes, moved on and put back.
"""

from __future__ import annotations

from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.lanes.playing import LaneState, advance, count_goals, settle
from gdl.circuit.lanes.tables import Tables
from gdl.circuit.lanes.transpose import Words, lowest, read_packed
from gdl.circuit.lanes.vectors import (
    WORD_BITS,
    LaneArray,
    LaneVector,
    any_lane,
    at,
    load,
    load_literal,
    set_word,
    store,
    word,
    zero,
)
from gdl.circuit.native.jit import lane_kernel
from gdl.circuit.netlist import IntArray

Bytes = NDArray[np.uint8]

# What becomes of a state whose game is over: it begins anew with the next step, whose move does not
# count; at once; or when the caller says so.
NEXT_STEP, SAME_STEP, DISABLED = (cast("int", np.int64(mode)) for mode in range(3))
LOOK = cast("int", np.int64(3))  # make no move, and report

ONLY_MOVE = cast("int", np.int64(-1))  # an action: the first legal move
ALL_LEGAL = -1

_PHASE = cast("int", np.int64(0))  # all states are treated alike, whoever's turn it is


class StepArrays(NamedTuple):
    """Input and output. `N` states in `K` blocks of `L` lanes, `R` roles, `W` and `C` words.

    The legal moves of each role fill columns of 64 of its own, in the order of its inputs.
    """

    bases: LaneArray  # [K * B] the states
    over: LaneArray  # [K] those whose game is over
    actions: IntArray  # [N, R] the number of a role's move, or ONLY_MOVE
    legal: Words  # [N, C]
    packed: Words  # [N, W] bit b % 64 of word b // 64 is base b
    masks: NDArray[np.uint64]  # [N, 8 * C] `legal`, a byte each
    observations: NDArray[np.uint64]  # [N, 8 * W] `packed`, a byte each; or no rows
    finals: NDArray[np.uint64]  # [N, 8 * W] the last observations of games, with SAME_STEP
    is_terminal: Bytes  # [N]
    goals: NDArray[np.int16]  # [N, R] of terminal states, else 0
    first_legal: Words  # [C] in the first state,
    first_packed: Words  # [W] and its bases
    columns: IntArray  # [R + 1] where those of each role begin
    role_starts: IntArray  # [R + 1] the first input of each role
    legal_places: IntArray  # [64 * C] literals; NO where a role has no more moves
    base_places: IntArray  # [64 * W]
    spread: NDArray[np.uint64]  # [256] the bits of a byte, a byte each
    words: Words  # [L, max(C, W)] room
    transpose_buffer: LaneArray  # [64] room


@lane_kernel
def find_illegal(arrays: StepArrays, num: int, mode: int) -> int:
    """The first action that is not legal, as its state times the roles plus its role.

    ALL_LEGAL if there is none. Actions in states that are over do not count.
    """
    num_roles = int(arrays.actions.shape[1])
    for row in range(num):
        if arrays.is_terminal[row] and mode != SAME_STEP:
            continue
        for role in range(num_roles):
            action = int(arrays.actions[row, role])
            if action == ONLY_MOVE:
                continue
            size = arrays.role_starts[role + 1] - arrays.role_starts[role]
            if action < 0 or action >= size:
                return row * num_roles + role
            column = int(arrays.columns[role]) + action // WORD_BITS
            if not arrays.legal[row, column] >> np.uint64(action % WORD_BITS) & np.uint64(1):
                return row * num_roles + role
    return ALL_LEGAL


@lane_kernel
def step_blocks(
    state: LaneState, tables: Tables, arrays: StepArrays, first: int, last: int, mode: int
) -> None:
    """Make the actions in some blocks of states, and report on what follows.

    Args:
        state: Lanes to work in, which begin in the first state.
        tables: The game, all of whose states are in one phase.
        arrays: The states.
        first: The first block.
        last: The one after the last.
        mode: What becomes of states whose game is over, or LOOK.
    """
    values, num_bases = state.values, tables.num_bases
    num_lanes = len(arrays.words)
    for block in range(first, last):
        for base in range(num_bases):
            store(values, 1 + base, load(arrays.bases, block * num_bases + base))
        over = load(arrays.over, block)
        is_made = mode == LOOK
        while True:
            settle(values, tables, _PHASE)
            if is_made:
                break
            set_actions(values, arrays, block * num_lanes, num_lanes, 1 + num_bases)
            advance(state, tables, _PHASE, over, mode == NEXT_STEP)
            is_made = True
        ended = load_literal(values, at(tables.terminal, _PHASE))
        write_ends(state, tables, arrays, block * num_lanes, ended)
        write_states(values, arrays, block * num_lanes, num_lanes)
        if mode == SAME_STEP:
            begin_anew(arrays, block * num_lanes, num_lanes)
            for base in range(num_bases):
                value = load(values, 1 + base)
                start = load(state.starts, at(state.start_rows, base))
                store(values, 1 + base, (value & ~ended) | (start & ended))
            ended = zero(values)
        for base in range(num_bases):
            store(arrays.bases, block * num_bases + base, load(values, 1 + base))
        store(arrays.over, block, ended)


@lane_kernel
def set_actions(
    values: LaneArray, arrays: StepArrays, first_row: int, num: int, first_input: int
) -> None:
    """Set the inputs of the actions in so many states, and all others to false."""
    num_roles = int(arrays.actions.shape[1])
    for slot in range(first_input, first_input + arrays.role_starts[num_roles]):
        store(values, slot, zero(values))
    for lane in range(num):
        row, block = first_row + lane, lane // WORD_BITS
        bit = np.uint64(1) << np.uint64(lane % WORD_BITS)
        for role in range(num_roles):
            action = int(arrays.actions[row, role])
            if action == ONLY_MOVE:
                action = first_legal_move(arrays, row, role)
            slot = first_input + int(arrays.role_starts[role]) + action
            set_word(values, slot, block, word(values, slot, block) | bit)


@lane_kernel
def first_legal_move(arrays: StepArrays, row: int, role: int) -> int:
    """The number of a role's first legal move; 0 if it has none."""
    start = int(arrays.columns[role])
    for column in range(start, int(arrays.columns[role + 1])):
        if arrays.legal[row, column]:
            return (column - start) * WORD_BITS + lowest(arrays.legal[row, column])
    return 0


@lane_kernel
def write_ends(
    state: LaneState, tables: Tables, arrays: StepArrays, first_row: int, ended: LaneVector
) -> None:
    """Write which states are terminal, and their goals; the lanes are settled."""
    transpose_buffer, one, num_lanes = arrays.transpose_buffer, np.uint64(1), len(arrays.words)
    store(transpose_buffer, 0, ended)
    for lane in range(num_lanes):
        bit = word(transpose_buffer, 0, lane // WORD_BITS) >> np.uint64(lane % WORD_BITS) & one
        arrays.is_terminal[first_row + lane] = np.uint8(bit)
        for role in range(arrays.goals.shape[1]):
            arrays.goals[first_row + lane, role] = 0
    if not any_lane(ended):
        return
    count_goals(state, tables, _PHASE, ended)
    for goal in range(tables.goals.shape[1]):
        role, value = at(tables.goal_roles, goal), at(tables.goal_values, goal)
        store(transpose_buffer, 0, load(state.reached, goal))
        for block in range(num_lanes // WORD_BITS):
            bits = word(transpose_buffer, 0, block)
            while bits:
                arrays.goals[first_row + block * WORD_BITS + lowest(bits), role] = value
                bits &= bits - one


@lane_kernel
def write_states(values: LaneArray, arrays: StepArrays, first_row: int, num: int) -> None:
    """Write the states and their legal moves; the lanes are settled."""
    words, num_columns = arrays.words, arrays.packed.shape[1]
    read_packed(values, arrays.base_places, num_columns, words, num, arrays.transpose_buffer)
    for lane in range(num):
        for column in range(num_columns):
            arrays.packed[first_row + lane, column] = words[lane, column]
        if len(arrays.observations):
            spread_row(arrays, words[lane], arrays.observations[first_row + lane])
    num_columns = arrays.legal.shape[1]
    read_packed(values, arrays.legal_places, num_columns, words, num, arrays.transpose_buffer)
    for lane in range(num):
        for column in range(num_columns):
            arrays.legal[first_row + lane, column] = words[lane, column]
        spread_row(arrays, words[lane], arrays.masks[first_row + lane])


@lane_kernel
def spread_row(arrays: StepArrays, words: Words, row: NDArray[np.uint64]) -> None:
    """Write the bits of words, a byte each."""
    for index in range(len(row)):
        byte = words[index >> 3] >> np.uint64(8 * (index & 7)) & np.uint64(255)
        row[index] = arrays.spread[np.int64(byte)]


@lane_kernel
def begin_anew(arrays: StepArrays, first_row: int, num: int) -> None:
    """Let the rows of terminal states show the first one; what they showed becomes final."""
    for row in range(first_row, first_row + num):
        if not arrays.is_terminal[row]:
            continue
        for column in range(arrays.packed.shape[1]):
            arrays.packed[row, column] = arrays.first_packed[column]
        for column in range(arrays.legal.shape[1]):
            arrays.legal[row, column] = arrays.first_legal[column]
        spread_row(arrays, arrays.first_legal, arrays.masks[row])
        if len(arrays.observations):
            for index in range(arrays.observations.shape[1]):
                arrays.finals[row, index] = arrays.observations[row, index]
            spread_row(arrays, arrays.first_packed, arrays.observations[row])
