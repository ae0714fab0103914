"""The kernels for the actions of a batch: the caller's, random ones, and those of some ranks.

Both look at the words that say what is legal.
"""

from __future__ import annotations

import numpy as np

from gdl.circuit.lanes.step_arrays import NO_MOVE, ONE, ONLY_MOVE, SAME_STEP, StepArrays
from gdl.circuit.lanes.vectors import WORD_BITS, at, put
from gdl.circuit.lanes.words import count_bits, lowest, select_bit
from gdl.circuit.native.jit import lane_kernel
from gdl.circuit.netlist import IntArray

LAST_BIT = np.uint64(1 << 63)
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@lane_kernel
def choose_actions(arrays: StepArrays, first: int, last: int, mode: int) -> bool:
    """Set what each role makes in the states of some blocks; whether all of it is legal.

    In states that are over, or not moved on, it need not be. The arguments are those of
    `step_blocks`.
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
    """Set what a role makes in some rows, if its actions fill one word; see `choose_actions`.

    It has no branches, so that the loop becomes vectors.
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
    """Set what a role makes in some rows, whatever its number of moves; see `choose_actions`."""
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
    """Whether the actions in a state count: it is moved on, and its game is not over."""
    return bool(arrays.moving[row]) and (mode == SAME_STEP or not arrays.is_terminal[row])


@lane_kernel
def find_illegal(arrays: StepArrays, num: int, mode: int) -> int:
    """The first action that is not legal, as its state times the roles plus its role.

    There is one.
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
    """Whether an action is legal for a role in a state."""
    if action < 0 or action >= at(arrays.sizes, role):
        return False
    column = at(arrays.columns, role) + (action >> 6)
    legal = arrays.legal[column * len(arrays.is_terminal) + row]
    return bool(legal >> np.uint64(action & 63) & ONE)


@lane_kernel
def first_legal_move(arrays: StepArrays, row: int, role: int) -> int:
    """The number of a role's first legal move, or NO_MOVE."""
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
    """Draw a legal action of each role in the states of some blocks, each as likely as the others.

    Args:
        arrays: The states.
        first_block: The first block.
        last_block: The one after the last.
        actions: `[R * N]` is written; ONLY_MOVE where a role has none.
        seed: Of the random numbers.
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
    """Write the legal actions that have some ranks among those of their role.

    Args:
        arrays: The states.
        first_block: The first block.
        last_block: The one after the last.
        ranks: `[R * N]` how many of the role's legal actions come before it.
        actions: `[R * N]` is written; ONLY_MOVE where there are not so many.
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
    """A random number of the counter's, less than a size.

    By splitmix64 (Steele, Lea and Flood 2014). Numbers are favoured by less than size / 2^32.
    """
    drawn = number * _GOLDEN
    drawn = (drawn ^ (drawn >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    drawn = (drawn ^ (drawn >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return int((drawn >> np.uint64(32)) * np.uint64(size) >> np.uint64(32))


@lane_kernel
def select_of_many(arrays: StepArrays, row: int, first: int, last: int, rank: int) -> int:
    """The action before which so many are legal, in several columns."""
    num = len(arrays.is_terminal)
    for column in range(first, last):
        legal = arrays.legal[column * num + row]
        size = count_bits(legal)
        if rank < size:
            return (column - first) * WORD_BITS + select_bit(legal, rank)
        rank -= size
    return ONLY_MOVE
