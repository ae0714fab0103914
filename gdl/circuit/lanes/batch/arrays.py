"""The arrays of a batch of states, and the kernels that check, draw and select actions."""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.lanes.vectors import WORD_BITS, LaneArray, at, lane_array, put
from gdl.circuit.lanes.words import count_bits, lowest, select_bit
from gdl.circuit.netlist import NO, IntArray, Words
from gdl.circuit.numbering import Numbering
from gdl.circuit.schedule import Schedule
from gdl.native.jit import lane_kernel

Bytes = NDArray[np.uint8]

# When a finished game begins again: in the next step, whose action does not count; at once, in the
# same step; or only when the caller says so.
NEXT_STEP, SAME_STEP, DISABLED = (cast("int", np.int64(mode)) for mode in range(3))
LOOK = cast("int", np.int64(3))  # make no move, but write all results

ONLY_MOVE = cast("int", np.int64(-1))  # an action that stands for the first legal move
NO_MOVE = cast("int", np.int64(-1))  # chosen if there is no legal move
ONE = np.uint64(1)

_ALIGNMENT = 64  # bytes, because other libraries require it of memory that they share


class StepArrays(NamedTuple):
    """Input and output of a step.

    There are `N` states in `K` blocks, `R` roles, `B` facts, `M` actions of a role, `W` words of
    facts, `C` words of legal moves, and `P` words of percepts. Arrays `[R * N]`, `[C * N]` and
    `[P * N]` have the states of a role or of a word next to each other, so that loops over states
    can be vectorised. The legal moves of each role fill their own columns of 64, in the order of
    its actions.
    """

    bases: LaneArray  # [K * B] the states
    over: LaneArray  # [K] the lanes whose game is over
    moving: Bytes  # [N] whether the next step advances the state
    actions: IntArray  # [R * N] the number of a role's move, or ONLY_MOVE
    chosen: IntArray  # [R * N] the number of the move that is made
    legal: Words  # [C * N]
    num_legal: IntArray  # [R * N]
    packed: Words  # [N, W] fact b is bit b % 64 of word b // 64
    masks: Bytes  # for each role `legal` as bytes, [N, M] flattened
    observations: Bytes  # [N * B] `packed` as bytes
    finals: Bytes  # [N * B] final observations of games, with SAME_STEP; else empty
    is_terminal: Bytes  # [N]
    goals: NDArray[np.int16]  # [R * N] goals in terminal states, else 0
    percepts: Words  # [P * N] what the roles saw in the last step
    first_legal: Words  # [C] in the first state
    first_masks: Bytes  # for each role [M] flattened, in the first state
    first_num_legal: IntArray  # [R] in the first state
    first_packed: Words  # [W] in the first state
    first_observation: Bytes  # [B] in the first state
    columns: IntArray  # [R + 1] where the columns of each role begin
    sizes: IntArray  # [R] number of actions
    mask_starts: NDArray[np.int64]  # [R] where the masks of each role begin
    input_slots: IntArray  # [64 * C] the input slot of each action
    legal_places: IntArray  # [64 * C] literals; NO after a role's last action
    fact_places: IntArray  # [64 * W] literals; NO after the last fact
    percept_columns: IntArray  # [R + 1] where the words of each role's percepts begin
    percept_places: IntArray  # [64 * P] literals; NO after a role's last percept
    transpose_buffer: LaneArray  # [64] scratch buffer


def make_arrays(
    plan: Schedule, numbering: Numbering, num_blocks: int, width: int, keeps_finals: bool
) -> StepArrays:
    """Create arrays for `num_blocks` blocks of lanes.

    Args:
        plan: The game. Its percepts are bases that come after the facts.
        numbering: The numbers of facts, moves and percepts.
    """
    netlist = plan.netlist
    num, num_roles, num_facts = (
        num_blocks * WORD_BITS * width,
        len(netlist.roles),
        len(numbering.facts),
    )
    num_words = max(1, -(-num_facts // WORD_BITS))
    fact_places = np.full(num_words * WORD_BITS, NO, np.int32)
    fact_places[:num_facts] = 2 * (1 + numbering.bases)
    sizes = np.diff(netlist.role_starts).astype(np.int32)
    columns = np.concatenate([[0], np.cumsum(np.maximum(1, -(-sizes // WORD_BITS)))]).astype(
        np.int32
    )
    num_columns = max(1, int(columns[-1]))
    legal_places = np.full(num_columns * WORD_BITS, NO, np.int32)
    input_slots = np.zeros(num_columns * WORD_BITS, np.int32)
    for column, (first, last) in zip(columns.tolist(), pairwise(netlist.role_starts), strict=False):
        start = column * WORD_BITS
        inputs = numbering.inputs[first:last]
        legal_places[start : start + len(inputs)] = plan.legal[inputs]
        input_slots[start : start + len(inputs)] = netlist.first_input + inputs
    percept_columns, percept_places = _percept_places(numbering)
    mask_starts, end = [], 0
    for size in sizes.tolist():
        mask_starts.append(end)
        end += -(-num * size // _ALIGNMENT) * _ALIGNMENT
    return StepArrays(
        bases=lane_array(num_blocks * num_facts, width),
        over=lane_array(num_blocks, width),
        moving=np.ones(num, np.uint8),
        actions=np.full(num_roles * num, -1, np.int32),
        chosen=np.zeros(num_roles * num, np.int32),
        legal=np.zeros(num_columns * num, np.uint64),
        num_legal=np.zeros(num_roles * num, np.int32),
        packed=_aligned(num * num_words * 8).view(np.uint64).reshape(num, num_words),
        masks=_aligned(end),
        observations=_aligned(num * num_facts),
        finals=_aligned(num * num_facts if keeps_finals else 0),
        is_terminal=_aligned(num),
        goals=np.zeros(num_roles * num, np.int16),
        percepts=np.zeros(len(percept_places) // WORD_BITS * num, np.uint64),
        first_legal=np.zeros(num_columns, np.uint64),
        first_masks=np.zeros(netlist.num_inputs, np.uint8),
        first_num_legal=np.zeros(num_roles, np.int32),
        first_packed=np.zeros(num_words, np.uint64),
        first_observation=np.zeros(num_facts, np.uint8),
        columns=columns,
        sizes=sizes,
        mask_starts=np.array(mask_starts, np.int64),
        input_slots=input_slots,
        legal_places=legal_places,
        fact_places=fact_places,
        percept_columns=percept_columns,
        percept_places=percept_places,
        transpose_buffer=lane_array(WORD_BITS, width),
    )


def _percept_places(numbering: Numbering) -> tuple[IntArray, IntArray]:
    columns = np.cumsum([0, *(-(-len(sees) // WORD_BITS) for sees in numbering.sees)])
    places = np.full(columns[-1] * WORD_BITS, NO, np.int32)
    for column, sees in zip(columns.tolist(), numbering.sees, strict=False):
        start = column * WORD_BITS
        places[start : start + len(sees)] = 2 * (1 + len(numbering.facts) + sees)
    return columns.astype(np.int32), places


def remember_first(arrays: StepArrays) -> None:
    """Copy the results in row 0 to the arrays that keep the results of the first state."""
    arrays.first_legal[:] = arrays.legal[:: len(arrays.is_terminal)]
    arrays.first_masks[:] = np.concatenate([mask[0] for mask in masks_of(arrays)])
    arrays.first_num_legal[:] = arrays.num_legal[:: len(arrays.is_terminal)]
    arrays.first_packed[:] = arrays.packed[0]
    arrays.first_observation[:] = arrays.observations[: len(arrays.first_observation)]


def rows_of(flat: Bytes, size: int, num: int) -> Bytes:
    """Return a flat array as `num` rows, `[num, size]`, or no rows if the array is empty."""
    return flat.reshape(num if len(flat) else 0, size) if size else np.zeros((num, 0), np.uint8)


def masks_of(arrays: StepArrays) -> tuple[Bytes, ...]:
    """Return for each role whether each of its actions is legal in each state, `[N, M]`."""
    num = len(arrays.is_terminal)
    return tuple(
        rows_of(arrays.masks[start : start + num * size], size, num)
        for start, size in zip(arrays.mask_starts.tolist(), arrays.sizes.tolist(), strict=True)
    )


def _aligned(num_bytes: int) -> Bytes:
    room = np.zeros(num_bytes + _ALIGNMENT, np.uint8)
    start = -room.ctypes.data % _ALIGNMENT
    return room[start : start + num_bytes]


LAST_BIT = np.uint64(1 << 63)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@lane_kernel
def choose_actions(arrays: StepArrays, first: int, last: int, mode: int) -> bool:
    """Set the move of each role in the states of some blocks. Return whether all moves are legal.

    Moves need not be legal in states that are over or that the step does not advance. See
    `step_blocks` for the arguments.
    """
    num = len(arrays.is_terminal) // len(arrays.over)
    are_legal = True
    for role in range(len(arrays.sizes)):
        if at(arrays.sizes, role) <= WORD_BITS:
            are_legal &= choose_in_word(arrays, role, first * num, last * num, mode)
        else:
            are_legal &= choose_in_words(arrays, role, first * num, last * num, mode)
    return are_legal


@lane_kernel
def choose_in_word(arrays: StepArrays, role: int, first: int, last: int, mode: int) -> bool:
    """Do the work of `choose_actions` for a role whose actions fit into one word.

    Set the moves in the rows from `first` up to `last`. The kernel has no branches, so that the
    loop can be vectorised.
    """
    num_rows = len(arrays.is_terminal)
    start, column = role * num_rows, at(arrays.columns, role) * num_rows
    excused = 0 if mode == SAME_STEP else 1
    illegal = 0
    for row in range(first, last):
        legal = np.uint64(at(arrays.legal, column + row))
        given = at(arrays.actions, start + row)
        action = lowest(legal | LAST_BIT) if given == ONLY_MOVE else given
        known = action & (WORD_BITS - 1)
        is_legal = int(np.int64(legal >> np.uint64(known) & ONE)) if known == action else 0
        put(arrays.chosen, start + row, action if is_legal else NO_MOVE)
        live = at(arrays.moving, row) & ~(at(arrays.is_terminal, row) & excused)
        illegal |= live & (1 - is_legal) & (0 if given == ONLY_MOVE else 1)
    return illegal == 0


@lane_kernel
def choose_in_words(arrays: StepArrays, role: int, first: int, last: int, mode: int) -> bool:
    """Do the same as `choose_in_word`, for a role with any number of actions."""
    start = role * len(arrays.is_terminal)
    are_legal = True
    for row in range(first, last):
        given = at(arrays.actions, start + row)
        action = first_legal_move(arrays, row, role) if given == ONLY_MOVE else given
        is_legal = is_legal_action(arrays, row, role, action)
        arrays.chosen[start + row] = action if is_legal else NO_MOVE
        are_legal &= is_legal or given == ONLY_MOVE or not counts(arrays, row, mode)
    return are_legal


@lane_kernel
def counts(arrays: StepArrays, row: int, mode: int) -> bool:
    """Return whether a step makes the actions in a state.

    It does so if it advances the state, and the game is not over.
    """
    return bool(arrays.moving[row]) and (mode == SAME_STEP or not arrays.is_terminal[row])


@lane_kernel
def find_illegal(arrays: StepArrays, num: int, mode: int) -> int:
    """Return where the first illegal action is, as state * number of roles + role.

    At least one of the actions in the first `num` states must be illegal.
    """
    num_roles, num_rows = len(arrays.sizes), len(arrays.is_terminal)
    for row in range(num):
        for role in range(num_roles):
            place = role * num_rows + row
            is_missing = arrays.chosen[place] == NO_MOVE and arrays.actions[place] != ONLY_MOVE
            if is_missing and counts(arrays, row, mode):
                return row * num_roles + role
    return num * num_roles


@lane_kernel
def is_legal_action(arrays: StepArrays, row: int, role: int, action: int) -> bool:
    """Return whether an action is legal for a role in a state."""
    if action < 0 or action >= at(arrays.sizes, role):
        return False
    column = at(arrays.columns, role) + (action >> 6)
    legal = arrays.legal[column * len(arrays.is_terminal) + row]
    return bool(legal >> np.uint64(action & 63) & ONE)


@lane_kernel
def first_legal_move(arrays: StepArrays, row: int, role: int) -> int:
    """Return the number of a role's first legal move, or NO_MOVE."""
    start, num_rows = at(arrays.columns, role), len(arrays.is_terminal)
    for column in range(start, at(arrays.columns, role + 1)):
        legal = arrays.legal[column * num_rows + row]
        if legal:
            return (column - start) * WORD_BITS + lowest(legal)
    return NO_MOVE


@lane_kernel
def draw_actions(
    arrays: StepArrays, first_block: int, last_block: int, actions: IntArray, seed: int
) -> None:
    """Draw a random legal action for each role in the states of some blocks.

    Every legal action is equally likely.

    Args:
        actions: `[R * N]` receives the actions, ONLY_MOVE if a role has none.
    """
    num = len(arrays.is_terminal)
    num_lanes = num // len(arrays.over)
    for role in range(len(arrays.sizes)):
        first, last = at(arrays.columns, role), at(arrays.columns, role + 1)
        start = role * num
        for place in range(start + first_block * num_lanes, start + last_block * num_lanes):
            size = at(arrays.num_legal, place)
            rank = below(np.uint64(seed) + np.uint64(place), size)
            if last - first == 1:
                legal = np.uint64(at(arrays.legal, place + (first - role) * num))
                action = select_bit(legal, rank)
            else:
                action = select_of_many(arrays, place - role * num, first, last, rank)
            actions[place] = action if size else ONLY_MOVE


@lane_kernel
def select_actions(
    arrays: StepArrays, first_block: int, last_block: int, ranks: IntArray, actions: IntArray
) -> None:
    """Select a legal action by its rank, for each role in the states of some blocks.

    Args:
        ranks: `[R * N]` how many legal actions of the role come before the selected one.
        actions: `[R * N]` receives the actions, ONLY_MOVE if there are too few legal ones.
    """
    num = len(arrays.is_terminal)
    num_lanes = num // len(arrays.over)
    for role in range(len(arrays.sizes)):
        first, last = at(arrays.columns, role), at(arrays.columns, role + 1)
        for row in range(first_block * num_lanes, last_block * num_lanes):
            place = role * num + row
            rank = at(ranks, place)
            is_there = rank >= 0 and rank < at(arrays.num_legal, place)
            action = select_of_many(arrays, row, first, last, rank) if is_there else ONLY_MOVE
            actions[place] = action


@lane_kernel
def below(number: np.uint64, size: int) -> int:
    """Return a random number less than `size`, which depends only on the counter `number`.

    It uses splitmix64 (Steele, Lea and Flood 2014). The bias of a result is less than size / 2^32.
    """
    drawn = number * _GOLDEN
    drawn = (drawn ^ (drawn >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    drawn = (drawn ^ (drawn >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return int((drawn >> np.uint64(32)) * np.uint64(size) >> np.uint64(32))


@lane_kernel
def select_of_many(arrays: StepArrays, row: int, first: int, last: int, rank: int) -> int:
    """Return the action with `rank` legal actions before it, in columns `first` to `last - 1`."""
    num = len(arrays.is_terminal)
    for column in range(first, last):
        legal = arrays.legal[column * num + row]
        size = count_bits(legal)
        if rank < size:
            return (column - first) * WORD_BITS + select_bit(legal, rank)
        rank -= size
    return ONLY_MOVE
