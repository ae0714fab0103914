"""What guides the choice of moves besides UCB1; everything here is off unless it is asked for.

- First-play urgency: a move that was never made counts as much as all others on average and a
  bit more, instead of coming first (Gelly and Wang, Exploration Exploitation in Go, 2006).
- Progressive history: how well a move does wherever it is made adds to its score, the less the
  more often it was made here and the better it did (Nijssen and Winands, Enhancements for
  Multi-Player Monte-Carlo Tree Search, 2011). Among moves never made it breaks the tie.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.search.lanes.jit import kernel
from ggp.search.lanes.pool import BEST, NONE, WORST, Pool
from ggp.search.lanes.settings import LaneSettings

FloatArray = NDArray[np.float64]

UNSEEN = 50.0  # what a move is thought to be worth that was made nowhere yet
TIE = 1e-3  # of simultaneous moves, those whose scores are this close are as good


class Guide(NamedTuple):
    """What guides the choice. `I` inputs."""

    is_on: bool
    fpu: float  # a move never made counts as the average and so much, in 0..1; or infinity
    history: float  # weight of progressive history
    counts: FloatArray  # [I] how often each input was made in the tree; it fades from turn to turn
    sums: FloatArray  # [I] of the goals that its role had then


def make_guide(settings: LaneSettings, num_inputs: int) -> Guide:
    """A guide that knows of no move yet."""
    size = num_inputs if settings.history else 1
    return Guide(
        is_on=settings.fpu is not None or settings.history > 0,
        fpu=math.inf if settings.fpu is None else settings.fpu,
        history=settings.history,
        counts=np.zeros(size),
        sums=np.zeros(size),
    )


@kernel
def choose_guided(pool: Pool, node: int, role: int, bonus: float, guide: Guide, start: int) -> int:
    """The edge that a role takes, of those that may still be the best.

    Args:
        pool: The tree.
        node: Where the role has several moves.
        role: Who chooses.
        bonus: What exploration adds to the score of a move made once.
        guide: What guides the choice.
        start: Ties go to whoever comes first from here on, counted from the role's first edge.
    """
    first, last = int(pool.first_edges[node, role]), int(pool.first_edges[node, role + 1])
    is_key = pool.deciders[node] == role
    floor = float(pool.lower[node, role])
    best, best_score = NONE, -1.0
    fresh, fresh_lean = NONE, -1.0
    num, total = 0, 0.0
    for index in range(first, last):
        edge = index + start if index + start < last else index + start - (last - first)
        low, high = WORST, BEST
        if is_key and pool.children[edge] != NONE:
            child = pool.children[edge]
            low, high = float(pool.lower[child, role]), float(pool.upper[child, role])
            if high <= floor or low == high:
                continue
        lean = _lean(guide, int(pool.inputs[edge]))
        count = int(pool.counts[edge])
        if count == 0:
            if lean > fresh_lean:
                fresh, fresh_lean = edge, lean
            continue
        num += count
        total += pool.sums[edge]
        value = min(max(pool.sums[edge] / count, low), high)
        score = value + bonus / math.sqrt(count) + lean / (1 + count * (1 - value / BEST))
        if score > best_score + (0.0 if is_key else TIE):
            best, best_score = edge, score
    if fresh != NONE and _fresh_score(guide, num, total) + fresh_lean > best_score:
        return fresh
    return best if best != NONE else first + start


@kernel
def _lean(guide: Guide, number: int) -> float:
    """What the history of an input adds to its score, before visits make it less."""
    if guide.history == 0:
        return 0.0
    count = guide.counts[number]
    return guide.history * (guide.sums[number] / count if count > 0 else UNSEEN)


@kernel
def _fresh_score(guide: Guide, num: int, total: float) -> float:
    """What a move counts that was never made, where the others were made so often."""
    return (total / num if num else UNSEEN) + BEST * guide.fpu
