"""Close nodes below which nothing is left to search, so that no iteration visits them again.

In a game without a fixed sum the bounds of a node may never meet. The lower bound of a role assumes
that the other roles do their worst to it, even if this is bad for themselves. Therefore a node is
also closed when its value follows from closed children:

- Terminal nodes are closed.
- If one role decides, it takes its best closed move, provided that no other move can be as good. If
  several moves are best, each other role counts the one that is worst for it, like the upper bounds
  in `prove`.
- The `random` role averages over its moves.

A position in which some role has no legal move is closed too, with an assumed value of 50. Values
that follow from it are ASSUMED instead of KNOWN, so no result calls them settled.

A closed node stores its value as the mean of its totals. If several roles decide at once, or if the
deciding role does not seem to think, only meeting bounds close a node.
"""

from __future__ import annotations

from gdl import kernel
from ggp.search.fast.tree.backup import value_of
from ggp.search.fast.tree.nodes import BEST, KNOWN, UNTRUSTED, WORST, Pool, wide
from ggp.search.kernels.arrays import NONE

SAME = 1e-3  # goals that differ by less are equal, because means have rounding errors


@kernel
def is_solved(pool: Pool, node: int) -> bool:
    """Return whether the bounds of all roles meet."""
    for role in range(pool.lower.shape[1]):
        if pool.lower[node, role] != pool.upper[node, role]:
            return False
    return True


@kernel
def is_trusted(pool: Pool, role: int) -> bool:
    """Return whether a role is trusted to make a move that it cannot improve on."""
    return bool(pool.used[UNTRUSTED] >> role & 1 == 0)


@kernel
def close(pool: Pool, node: int, chance: int) -> bool:
    """Close an open node if its value is known. Return whether this call closed it."""
    if pool.is_closed[node]:
        return False
    decider = wide(pool.deciders[node])
    if is_solved(pool, node):
        pool.is_closed[node] = KNOWN
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
    pool.is_closed[node] = _certainty(pool, edges)
    return True


@kernel
def _certainty(pool: Pool, edges: tuple[int, int]) -> int:
    """Return ASSUMED if a closed child's value is an assumption, else KNOWN."""
    certainty = KNOWN
    for edge in range(edges[0], edges[1]):
        child = wide(pool.children[edge])
        if child != NONE:
            certainty = max(certainty, wide(pool.is_closed[child]))
    return certainty


@kernel
def _are_closed(pool: Pool, edges: tuple[int, int]) -> bool:
    for edge in range(edges[0], edges[1]):
        child = wide(pool.children[edge])
        if child == NONE or not pool.is_closed[child]:
            return False
    return True


@kernel
def _best_known(pool: Pool, edges: tuple[int, int], decider: int, chance: int) -> float:
    """Return the value of the deciding role's best move; NONE if an open move may be as good."""
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
    """Return what another role gets after the best move: the least, if several moves are best."""
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
