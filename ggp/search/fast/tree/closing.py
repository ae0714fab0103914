"""Closing: nodes of which nothing is left to learn, so that no round goes there again.

Where goals are not shared out, bounds may stay apart for ever: a role is sure only of the worst
that another one can do to it, though nobody expects that. So a node is closed when its value
follows from what is below: that of the end, or of the move that is best for who decides, once all
moves that can be as good are closed. Of several best moves the others count the one that is worst
for them, as the upper bounds do (see `prove`); the `random` role averages.

A closed node keeps its value as the mean of its totals. Where several roles decide at once, and
where a role does not seem to think, a node is closed only if its bounds meet.
"""

from __future__ import annotations

from gdl import kernel
from ggp.search.fast.tree.backup import value_of
from ggp.search.fast.tree.pool import BEST, UNTRUSTED, WORST, Pool, wide
from ggp.search.kernels.arrays import NONE

SAME = 1e-3  # goals that differ by less are equal: means are rounded


@kernel
def is_solved(pool: Pool, node: int) -> bool:
    """Whether the bounds of all roles meet."""
    for role in range(pool.lower.shape[1]):
        if pool.lower[node, role] != pool.upper[node, role]:
            return False
    return True


@kernel
def is_trusted(pool: Pool, role: int) -> bool:
    """Whether a role makes a satisfying move if it holds one."""
    return bool(pool.used[UNTRUSTED] >> role & 1 == 0)


@kernel
def close(pool: Pool, node: int, chance: int) -> bool:
    """Close an open node if its value is known now; whether that is news."""
    if pool.is_closed[node]:
        return False
    decider = wide(pool.deciders[node])
    if is_solved(pool, node):
        pool.is_closed[node] = 1
        return True
    if decider == NONE:
        return False
    edges = wide(pool.first_edges[node, decider]), wide(pool.first_edges[node, decider + 1])
    if decider == chance:
        best = BEST if _are_closed(pool, edges) else NONE
    elif edges[1] - edges[0] > 1 and not is_trusted(pool, decider):
        return False
    else:
        best = _best_known(pool, edges, decider, chance)
    if best == NONE:
        return False
    pool.known[node] = max(1, pool.known[node])
    for role in range(pool.lower.shape[1]):
        if decider == chance:
            value = _mean(pool, edges, role, chance)
        elif role == decider:
            value = best
        else:
            value = _worst_of_best(pool, edges, decider, role, chance)
        pool.totals[node, role] = value * pool.known[node]
    pool.is_closed[node] = 1
    return True


@kernel
def _are_closed(pool: Pool, edges: tuple[int, int]) -> bool:
    for edge in range(edges[0], edges[1]):
        child = wide(pool.children[edge])
        if child == NONE or not pool.is_closed[child]:
            return False
    return True


@kernel
def _best_known(pool: Pool, edges: tuple[int, int], decider: int, chance: int) -> float:
    """The value of the best move for who decides; NONE if it may be another one than is known."""
    best = _best_closed(pool, edges, decider, chance)
    if best == NONE or best >= BEST:
        return best
    for edge in range(edges[0], edges[1]):
        child = wide(pool.children[edge])
        if child == NONE or (not pool.is_closed[child] and pool.upper[child, decider] >= best):
            return float(NONE)
    return best


@kernel
def _best_closed(pool: Pool, edges: tuple[int, int], decider: int, chance: int) -> float:
    best = float(NONE)
    for edge in range(edges[0], edges[1]):
        child = wide(pool.children[edge])
        if child != NONE and pool.is_closed[child]:
            best = max(best, value_of(pool, child, decider, chance))
    return best


@kernel
def _worst_of_best(
    pool: Pool, edges: tuple[int, int], decider: int, role: int, chance: int
) -> float:
    """What a role gets after the best move of another, of several the one that is worst for it."""
    best, worst = _best_closed(pool, edges, decider, chance), BEST
    for edge in range(edges[0], edges[1]):
        child = wide(pool.children[edge])
        if child == NONE or not pool.is_closed[child]:
            continue
        if value_of(pool, child, decider, chance) >= best - SAME:
            worst = min(worst, value_of(pool, child, role, chance))
    return worst


@kernel
def _mean(pool: Pool, edges: tuple[int, int], role: int, chance: int) -> float:
    total = WORST
    for edge in range(edges[0], edges[1]):
        total += value_of(pool, wide(pool.children[edge]), role, chance)
    return total / (edges[1] - edges[0])
