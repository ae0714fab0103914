"""The kernel of alpha-beta. It visits one state after another until the search is done or pauses.

It is the search of `ggp.search.textbook.adversarial.alphabeta` (lecture *Game Playing*; Knuth and
Moore, An Analysis of Alpha-Beta Pruning, 1975) without recursion. A frame of the stack holds what a
recursive call would remember. So the kernel can return at any state, so that the caller can check
the clock, and continue later.

All values are those of the searching role. It chooses the highest value, and all other roles the
lowest.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gdl import kernel
from ggp.search.core.result import BEST, WORST
from ggp.search.fast.alphabeta.leaf import Leaf, value_of_leaf
from ggp.search.fast.alphabeta.stack import Order, Stack, note_cutoff, rank_moves, take_next
from ggp.search.fast.alphabeta.transpositions import (
    EXACT,
    LOWER,
    UPPER,
    Table,
    answers,
    bound_of,
    find,
    hash_state,
    is_complete,
    move_of,
    store,
    value_of,
)
from ggp.search.kernels.arrays import NONE, FloatArray, IntArray, LongArray
from ggp.search.kernels.game import advance, goal_of, holds, list_legal, load, make_from

if TYPE_CHECKING:
    from gdl import ScalarPlaces as Places

RUNNING, DONE, NO_ROOM = range(3)
# Indices of `counters`: the current frame, the searching role, the number of states at which to
# pause, the states, evaluations and cutoffs so far, the turn, for the table, and whether `answer`
# depends on terminal states only.
TOP, OWN, MAX_NODES, NODES, EVALUATIONS, CUTOFFS, TURN, COMPLETE = range(8)
NUM_COUNTERS = 8


class SearchPosition(NamedTuple):
    """Everything that a search keeps between two calls of `run`."""

    layout: IntArray  # layout of the game
    memory: IntArray  # memory of the game
    stack: Stack
    table: Table
    order: Order
    leaf: Leaf
    counters: LongArray
    answer: FloatArray  # [1] value for which the frame on top waits
    root: FloatArray  # [I, 3] for moves searched in frame 0: value, `complete`, nodes so far


@kernel
def run(at: Places, position: SearchPosition) -> int:
    """Search until the tree is done, the limit of states is reached, or there is no room for moves.

    `begin` must have put a state on the stack. Return DONE, RUNNING or NO_ROOM. After DONE, the
    first frame holds the result.
    """
    stack, counters = position.stack, position.counters
    while counters[TOP] >= 0:
        if counters[NODES] >= counters[MAX_NODES]:
            return RUNNING
        frame = counters[TOP]
        if stack.nexts[frame] >= stack.ends[frame]:
            _close(position, frame)
            if frame > 0:
                _receive(position, frame - 1)
            continue
        # A state lists each input at most once.
        if len(stack.moves) - stack.tops[frame] < len(position.order.history):
            return NO_ROOM
        if not _choose(at, position, frame):
            continue
        # Inlined, because a function would be compiled again for each function that calls it.
        make_from(at, position.layout, position.memory, stack.states[frame])
        advance(at, position.layout, position.memory)
        if _evaluate(at, position, frame):
            _receive(position, frame)
    return DONE


def begin(at: Places, position: SearchPosition, words: IntArray, depth: int) -> None:
    """Push a packed state, which must not be terminal, onto the empty stack.

    This creates the first frame. Its moves and window may still be narrowed.
    """
    position.counters[NODES] += 1
    load(at, position.layout, position.memory, words)
    is_answered = _open(at, position, 0, depth)
    assert not is_answered


@kernel
def _answer(position: SearchPosition, value: float, complete: int) -> bool:
    """Pass the value of a state to the frame that waits for it. Return True."""
    position.answer[0] = value
    position.counters[COMPLETE] = complete
    return True


@kernel
def _open(at: Places, position: SearchPosition, frame: int, depth: int) -> bool:
    """Push the current state, unless its value is known. Return whether it is known.

    The value is known if the table has it, or if a role has no legal move. Then pass it to the
    frame that waits for it, see `_answer`.
    """
    stack, table, memory = position.stack, position.table, position.memory
    alpha, beta = WORST, BEST
    if frame > 0:
        alpha, beta = stack.alphas[frame - 1], stack.betas[frame - 1]
    for k in range(at.num_words):
        stack.states[frame, k] = memory[at.current + k]
    hash_state(stack.states, frame, stack.keys)
    entry, known = find(table, stack.keys, frame), NONE
    if entry != NONE:
        known = move_of(table, entry)
        if frame > 0 and _is_settled(table, entry, depth, alpha, beta):
            return _answer(position, value_of(table, entry), is_complete(table, entry))
    if not _list_moves(at, position, frame):
        goal = goal_of(at, position.layout, memory, position.counters[OWN])
        return _answer(position, goal, 1)
    stack.depths[frame] = depth
    stack.is_first[frame] = 1
    _start(position, frame, known, alpha, beta)
    return False


@kernel
def _is_settled(table: Table, entry: int, depth: int, alpha: float, beta: float) -> bool:
    if not answers(table, entry, depth):
        return False
    value, bound = value_of(table, entry), bound_of(table, entry)
    return bool(
        bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)
    )


@kernel
def _list_moves(at: Places, position: SearchPosition, frame: int) -> bool:
    """List the moves of all roles with a choice. Return False if a role has no legal move."""
    stack, own = position.stack, position.counters[OWN]
    top = stack.tops[frame - 1] if frame > 0 else 0
    chooser = NONE
    for role in range(at.num_roles):
        end = list_legal(at, position.layout, position.memory, role, stack.moves, top)
        if end == top:
            return False
        stack.chosen[frame, role] = stack.moves[top]
        stack.firsts[frame, role] = stack.lasts[frame, role] = top
        if end - top > 1:
            stack.lasts[frame, role] = top = end
            if chooser == NONE or role == own:
                chooser = role
    if chooser == NONE:
        chooser = own
        stack.moves[top] = stack.chosen[frame, own]
        stack.firsts[frame, own] = top
        stack.lasts[frame, own] = top = top + 1
    stack.tops[frame] = top
    stack.roles[frame] = chooser
    return True


@kernel
def _start(position: SearchPosition, frame: int, known: int, alpha: float, beta: float) -> None:
    """Start a frame whose moves have been listed."""
    stack, role = position.stack, position.stack.roles[frame]
    stack.nexts[frame] = stack.firsts[frame, role]
    stack.ends[frame] = stack.lasts[frame, role]
    stack.best_moves[frame] = NONE
    stack.is_complete[frame] = 1
    stack.lowers[frame] = stack.alphas[frame] = alpha
    stack.uppers[frame] = stack.betas[frame] = beta
    stack.bests[frame] = -np.inf if role == position.counters[OWN] else np.inf
    rank_moves(stack, position.order, frame, known)
    position.counters[TOP] = frame


@kernel
def _choose(at: Places, position: SearchPosition, frame: int) -> bool:
    """Choose the next move of a frame. Return whether all roles have chosen."""
    stack, role = position.stack, position.stack.roles[frame]
    stack.chosen[frame, role] = take_next(stack, frame)
    other = _next_chooser(at, position, frame)
    if other == NONE:
        for k in range(at.num_roles):
            position.memory[at.chosen + k] = stack.chosen[frame, k]
        return True
    child = frame + 1
    for k in range(at.num_words):
        stack.states[child, k] = stack.states[frame, k]
    for k in range(at.num_roles):
        stack.chosen[child, k] = stack.chosen[frame, k]
        stack.firsts[child, k] = stack.firsts[frame, k]
        stack.lasts[child, k] = stack.lasts[frame, k]
    stack.depths[child], stack.tops[child] = stack.depths[frame], stack.tops[frame]
    stack.is_first[child], stack.roles[child] = 0, other
    _start(position, child, NONE, stack.alphas[frame], stack.betas[frame])
    return False


@kernel
def _next_chooser(at: Places, position: SearchPosition, frame: int) -> int:
    """Return the role that chooses next in the same state; NONE if all have chosen."""
    stack, own = position.stack, position.counters[OWN]
    role = stack.roles[frame]
    for other in range(0 if role == own else role + 1, at.num_roles):
        if other != own and stack.lasts[frame, other] > stack.firsts[frame, other]:
            return other
    return NONE


@kernel
def _evaluate(at: Places, position: SearchPosition, frame: int) -> bool:
    """Enter the current state, to which a frame's move leads. Return whether its value is known."""
    counters, memory = position.counters, position.memory
    counters[NODES] += 1
    depth = position.stack.depths[frame] - 1
    if holds(at, memory, at.terminal):
        return _answer(position, goal_of(at, position.layout, memory, counters[OWN]), 1)
    if depth == 0:
        counters[EVALUATIONS] += 1
        value = value_of_leaf(at, position.layout, memory, position.leaf, counters[OWN])
        return _answer(position, value, 0)
    return _open(at, position, frame + 1, depth)


@kernel
def _receive(position: SearchPosition, frame: int) -> None:
    stack, counters, value = position.stack, position.counters, position.answer[0]
    role = stack.roles[frame]
    move = stack.chosen[frame, role]
    if role == counters[OWN]:
        if value > stack.bests[frame]:
            stack.bests[frame], stack.best_moves[frame] = value, move
            stack.alphas[frame] = max(stack.alphas[frame], value)
    elif value < stack.bests[frame]:
        stack.bests[frame], stack.best_moves[frame] = value, move
        stack.betas[frame] = min(stack.betas[frame], value)
    counters[TOP] = frame
    if frame == 0:
        position.root[move, 0], position.root[move, 1] = value, counters[COMPLETE]
        position.root[move, 2] = counters[NODES]
    if stack.alphas[frame] < stack.betas[frame]:
        stack.is_complete[frame] &= counters[COMPLETE]
        return
    # This move refutes the line, so skip the others.
    stack.is_complete[frame] = counters[COMPLETE]
    if stack.nexts[frame] < stack.ends[frame]:
        stack.nexts[frame] = stack.ends[frame]
        counters[CUTOFFS] += 1
    note_cutoff(position.order, frame, move, stack.depths[frame])


@kernel
def _close(position: SearchPosition, frame: int) -> None:
    stack = position.stack
    if stack.is_first[frame]:
        store(position.table, stack, frame, position.counters[TURN])
    _answer(position, stack.bests[frame], stack.is_complete[frame])
    position.counters[TOP] = frame - 1
