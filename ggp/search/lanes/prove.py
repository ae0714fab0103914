"""Guaranteed values: what is proven about a node, told from its children.

A terminal state is exact. Of the others, for each role:

- who decides alone gets the best bounds among its moves; a move not yet seen may bring anything;
- the `random` role averages;
- who watches is sure of the worst that can come. If the one who decides already holds a move that
  it cannot improve on, it is expected to make such a move, and of several the one that is worst for
  the watcher: so a proven win of the opponent is our proven loss;
- where several decide at once, a move is worth to its role what it guarantees whatever the others
  do.

Cazenave and Saffidine, Score Bounded Monte-Carlo Tree Search, 2010.
"""

from __future__ import annotations

import math

import numpy as np

from ggp.search.lanes.jit import kernel
from ggp.search.lanes.pool import BEST, NONE, WORST, IntArray, Pool

MOST_JOINT_MOVES = 1024  # nodes with more are not looked through


@kernel
def prove_upwards(pool: Pool, nodes: IntArray, length: int, chance: int) -> None:
    """Tighten the bounds along a path from its end, as long as there is news."""
    for step in range(length - 1, -1, -1):
        if not prove(pool, nodes[step], chance):
            return


@kernel
def prove(pool: Pool, node: int, chance: int) -> bool:
    """Tighten the bounds of an open node, of whose children there is news; whether they changed."""
    pool.has_news[node] = 1
    decider = int(pool.deciders[node])
    changes = False
    for role in range(pool.lower.shape[1]):
        if decider == NONE:
            low, high = _among_several(pool, node, role, chance)
        elif decider == chance:
            low, high = _by_chance(pool, node, decider, role)
        elif decider == role:
            low, high = _by_choice(pool, node, role)
        else:
            low, high = _by_others_choice(pool, node, decider, role)
        if low > pool.lower[node, role]:
            pool.lower[node, role] = low
            changes = True
        if high < pool.upper[node, role]:
            pool.upper[node, role] = high
            changes = True
    if changes:
        pool.lengths[node] = _length(pool, node, decider, chance)
    return changes


@kernel
def is_proven_about(pool: Pool, node: int) -> bool:
    """Whether anything is proven of a node."""
    for role in range(pool.lower.shape[1]):
        if pool.lower[node, role] > WORST or pool.upper[node, role] < BEST:
            return True
    return False


@kernel
def bounds_of(pool: Pool, child: int, role: int) -> tuple[float, float]:
    """What is proven of a child for a role; nothing if it is not known."""
    if child == NONE:
        return WORST, BEST
    return float(pool.lower[child, role]), float(pool.upper[child, role])


@kernel
def _by_choice(pool: Pool, node: int, role: int) -> tuple[float, float]:
    best_low, best_high = WORST, WORST
    for edge in range(pool.first_edges[node, role], pool.first_edges[node, role + 1]):
        low, high = bounds_of(pool, int(pool.children[edge]), role)
        best_low, best_high = max(best_low, low), max(best_high, high)
    return best_low, best_high


@kernel
def _by_others_choice(pool: Pool, node: int, decider: int, role: int) -> tuple[float, float]:
    _, best = _by_choice(pool, node, decider)
    low, high, satisfied_high = BEST, WORST, BEST
    for edge in range(pool.first_edges[node, decider], pool.first_edges[node, decider + 1]):
        child = int(pool.children[edge])
        child_low, child_high = bounds_of(pool, child, role)
        low, high = min(low, child_low), max(high, child_high)
        if child != NONE and pool.lower[child, decider] == best:
            satisfied_high = min(satisfied_high, child_high)
    return low, min(high, satisfied_high)


@kernel
def _by_chance(pool: Pool, node: int, decider: int, role: int) -> tuple[float, float]:
    first, last = pool.first_edges[node, decider], pool.first_edges[node, decider + 1]
    low = high = 0.0
    for edge in range(first, last):
        child_low, child_high = bounds_of(pool, int(pool.children[edge]), role)
        low, high = low + child_low, high + child_high
    # Bounds are kept in 32 bits: rounded to the outside.
    return math.floor(1000 * low / (last - first)) / 1000, math.ceil(
        1000 * high / (last - first)
    ) / 1000


@kernel
def _among_several(pool: Pool, node: int, role: int, chance: int) -> tuple[float, float]:
    """Bounds where several roles decide at once, from the joint moves seen so far.

    `random` counts as an opponent here, which is sound, if not sharp.
    """
    first, last = int(pool.first_edges[node, role]), int(pool.first_edges[node, role + 1])
    num_answers = 1.0
    for other in range(pool.lower.shape[1]):
        if other != role:
            num_answers *= pool.first_edges[node, other + 1] - pool.first_edges[node, other]
    if num_answers * (last - first) > MOST_JOINT_MOVES:
        return WORST, BEST
    best_low, high, num_seen = WORST, WORST, 0.0
    for index in range(last - first):
        low, seen = BEST, 0.0
        entry = int(pool.first_joints[node])
        while entry != NONE:
            if _own_index(pool, node, role, entry) == index:
                child = int(pool.joint_children[entry])
                low = min(low, float(pool.lower[child, role]))
                high = max(high, float(pool.upper[child, role]))
                seen += 1.0
            entry = int(pool.next_joints[entry])
        num_seen += seen
        if seen == num_answers and role != chance:
            best_low = max(best_low, low)
    if num_seen < num_answers * (last - first):
        high = BEST
    return best_low, high


@kernel
def _own_index(pool: Pool, node: int, role: int, entry: int) -> int:
    """Which of its moves a role makes in a joint move."""
    key = pool.joint_keys[entry]
    for other in range(pool.lower.shape[1] - 1, -1, -1):
        size = pool.first_edges[node, other + 1] - pool.first_edges[node, other]
        index = int(key % np.uint64(size))
        if other == role:
            return index
        key = key // np.uint64(size)
    return NONE


@kernel
def _length(pool: Pool, node: int, decider: int, chance: int) -> int:
    """Plies to the end of a solved node: the shortest way to a gain, the longest to a loss."""
    for role in range(pool.lower.shape[1]):
        if pool.lower[node, role] != pool.upper[node, role]:
            return 0
    if decider in (NONE, chance):
        return 1
    best = pool.lower[node, decider]
    shortest, longest = 1 << 14, 0
    for edge in range(pool.first_edges[node, decider], pool.first_edges[node, decider + 1]):
        child = int(pool.children[edge])
        if child != NONE and pool.lower[child, decider] == best:
            shortest = min(shortest, int(pool.lengths[child]))
            longest = max(longest, int(pool.lengths[child]))
    return 1 + (longest if best == WORST else shortest)
