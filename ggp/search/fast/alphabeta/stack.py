"""The stack of the search: the current line in arrays, so that the search can pause and resume.

A frame represents the choice of one role. The first frame of a state belongs to the searching role,
if it has a choice. The frames of other roles with a choice follow, in the same state. So later
roles know the earlier choices, and always play against the searching role. This treats simultaneous
moves pessimistically, and games of more than two roles as paranoid search does.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gdl import kernel
from ggp.search.kernels.arrays import NONE, FloatArray, IntArray, LongArray, Words


class Stack(NamedTuple):
    """The stack of `P` frames, for `R` roles, `W` words of a state, and `M` moves in all frames."""

    states: IntArray  # [P, W]
    chosen: IntArray  # [P, R] input of each role: the chosen one, or any legal one before that
    firsts: IntArray  # [P, R] where the moves of each role begin in `moves`
    lasts: IntArray  # [P, R] where they end; roles without a choice have none
    roles: IntArray  # [P] the role that chooses
    is_first: IntArray  # [P] whether the frame is the first one of its state
    depths: IntArray  # [P] plies to search from the state
    nexts: IntArray  # [P] the next move to search
    ends: IntArray  # [P] where the moves of `roles` end
    tops: IntArray  # [P] where the free part of `moves` begins
    best_moves: IntArray  # [P] input, or NONE
    is_complete: IntArray  # [P] whether the value so far depends on terminal states only
    lowers: FloatArray  # [P] alpha at the start of the frame
    uppers: FloatArray  # [P] beta at the start of the frame
    alphas: FloatArray  # [P]
    betas: FloatArray  # [P]
    bests: FloatArray  # [P] value of the best move so far, for the searching role
    keys: Words  # [P, 2] keys of the state in the table
    moves: IntArray  # [M] inputs
    ranks: LongArray  # [M] the move with the highest rank is searched first


def make_stack(num_frames: int, num_roles: int, num_words: int, num_moves: int) -> Stack:
    """Create an empty stack."""

    def ints(*shape: int) -> IntArray:
        return np.zeros((num_frames, *shape), np.int32)

    def floats() -> FloatArray:
        return np.zeros(num_frames, np.float64)

    return Stack(
        states=ints(num_words),
        chosen=ints(num_roles),
        firsts=ints(num_roles),
        lasts=ints(num_roles),
        roles=ints(),
        is_first=ints(),
        depths=ints(),
        nexts=ints(),
        ends=ints(),
        tops=ints(),
        best_moves=ints(),
        is_complete=ints(),
        lowers=floats(),
        uppers=floats(),
        alphas=floats(),
        betas=floats(),
        bests=floats(),
        keys=np.zeros((num_frames, 2), np.uint64),
        moves=np.zeros(num_moves, np.int32),
        ranks=np.zeros(num_moves, np.int64),
    )


def with_more_moves(stack: Stack, num_moves: int) -> Stack:
    """Return a copy of a stack that can hold `num_moves` moves."""
    more = num_moves - len(stack.moves)
    return stack._replace(
        moves=np.concatenate([stack.moves, np.zeros(more, np.int32)]),
        ranks=np.concatenate([stack.ranks, np.zeros(more, np.int64)]),
    )


# Ranks of the table's move and of killer moves, and the maximum of the history
_TABLE = 1 << 62
_KILLER = 1 << 60
_MOST = 1 << 50


class Order(NamedTuple):
    """What the search has learned about good moves, for `P` frames and `I` inputs."""

    killers: IntArray  # [P, 2] inputs, the latest first
    history: LongArray  # [I] how often each input caused a cutoff, weighted by depth


def make_order(num_frames: int, num_inputs: int) -> Order:
    """Create an order that has learned nothing yet."""
    return Order(np.full((num_frames, 2), NONE, np.int32), np.zeros(num_inputs, np.int64))


@kernel
def rank_moves(stack: Stack, order: Order, frame: int, known: int) -> None:
    """Rank the moves of a frame. `known` is the best move according to the table, or NONE."""
    for k in range(stack.nexts[frame], stack.ends[frame]):
        move = stack.moves[k]
        if move == known:
            rank = _TABLE
        elif move == order.killers[frame, 0]:
            rank = _KILLER + 1
        elif move == order.killers[frame, 1]:
            rank = _KILLER
        else:
            rank = order.history[move]
        stack.ranks[k] = rank


@kernel
def take_next(stack: Stack, frame: int) -> int:
    """Take the move with the highest rank among a frame's remaining moves, and return it."""
    place = stack.nexts[frame]
    best = place
    for k in range(place + 1, stack.ends[frame]):
        if stack.ranks[k] > stack.ranks[best]:
            best = k
    move = stack.moves[best]
    stack.moves[best], stack.ranks[best] = stack.moves[place], stack.ranks[place]
    stack.moves[place] = move
    stack.nexts[frame] = place + 1
    return int(move)


@kernel
def note_cutoff(order: Order, frame: int, move: int, depth: int) -> None:
    """Record that a move caused a cutoff in its frame."""
    if order.killers[frame, 0] != move:
        order.killers[frame, 1] = order.killers[frame, 0]
        order.killers[frame, 0] = move
    if order.history[move] < _MOST:
        order.history[move] += depth * depth


def forget_half(order: Order) -> None:
    """Halve the history, so that newer cutoffs count more."""
    order.history[:] >>= 1
