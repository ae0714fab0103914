"""Which move is looked at first: the table's, then killers, then by history.

Killers are the moves that last cut off at the same height of the stack; the history of a move says
how often it cut off anywhere, cuts near the root counting more (Schaeffer, The History Heuristic,
1983; Akl and Newborn, The Principal Continuation and the Killer Heuristic, 1977).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ggp.search.arrays.alphabeta.game_kernels import kernel
from ggp.search.arrays.alphabeta.stack import NONE, IntArray, LongArray, Stack

_TABLE = 1 << 62
_KILLER = 1 << 60
_MOST = 1 << 50


class Order(NamedTuple):
    """`P` frames, `I` inputs."""

    killers: IntArray  # [P, 2] inputs, the latest first
    history: LongArray  # [I]


def make_order(num_frames: int, num_inputs: int) -> Order:
    """Nothing known."""
    return Order(np.full((num_frames, 2), NONE, np.int32), np.zeros(num_inputs, np.int64))


@kernel
def rank_moves(stack: Stack, order: Order, frame: int, known: int) -> None:
    """Rank the moves of a frame; `known` is the move of the table, or NONE."""
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
    """The move of a frame to look at now; it is one of those that were not taken yet."""
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
    """Remember that a move made all others of its frame needless."""
    if order.killers[frame, 0] != move:
        order.killers[frame, 1] = order.killers[frame, 0]
        order.killers[frame, 0] = move
    if order.history[move] < _MOST:
        order.history[move] += depth * depth


def forget_half(order: Order) -> None:
    """Halve the weight of what was learnt so far."""
    order.history[:] >>= 1
