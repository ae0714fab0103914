"""Proofs: the bounds of a node that follow from the bounds of its children.

Every node has two bounds of the goal of every role:

- `lower` is the goal that the role can force whatever the others do. The role has a move that keeps
  this bound, in this node and in every node that follows. This assumes nothing about the others.

- `upper` is the most that the role can get if the others are *satisfied*. A role is satisfied if it
  has a move that it cannot improve on and makes such a move. If there are several such moves, it
  makes the one that is worst for the role in question. So a proven win of the opponent is our
  proven loss. In a game with a fixed sum this assumes nothing, because the other role can enforce
  it. Roles that do not seem to think are not assumed to be satisfied, see `opponents`.

A terminal state is exact. In other states:

- A role that alone decides gets the best bounds of its moves. A move without a node may lead to
  anything.

- If the `random` role decides, the bounds are the averages over its moves.

- A role that waits is sure of the worst of the children. It can get at most the best of them, or
  less if the deciding role is satisfied.

- If several roles decide at once, a move gives its role at least the worst result of all answers,
  and at most the best. Other roles that have a satisfying move make it. The `random` role may do
  anything, which is sound but not tight.

Bounds only get tighter, and each follows from earlier bounds. So they also hold if the game has
cycles, because what is proven is forced within a certain number of plies. There is one exception:
the bounds of `LeafGoalBounds` hold only if the game ends.

See Cazenave and Saffidine, Score Bounded Monte-Carlo Tree Search, 2010.
"""

from __future__ import annotations

import math

import numpy as np

from gdl import kernel
from ggp.search.fast.tree.closing import close, is_trusted
from ggp.search.fast.tree.nodes import BEST, MAX_JOINT_MOVES, WORST, Pool, wide
from ggp.search.fast.tree.regret_matching import num_joint_moves
from ggp.search.kernels.arrays import NONE, IntArray

FAR = 1 << 14  # plies; longer than any path

# Columns of `Pool.limits`
LOW, HIGH, SEEN, WATCHED = range(4)


@kernel
def prove_upwards(pool: Pool, nodes: IntArray, length: int, chance: int) -> None:
    """Tighten the bounds of nodes and close nodes along a path, from its end to the root.

    Stop early at a node about which nothing is proven. An old proof does not stop this, because it
    may come from another path and be new to the parent on this path.
    """
    for step in range(length - 1, -1, -1):
        node = wide(nodes[step])
        if prove(pool, node, chance) or is_proven_about(pool, node) or pool.is_closed[node]:
            continue
        return


@kernel
def prove(pool: Pool, node: int, chance: int) -> bool:
    """Tighten the bounds of an open node after a child has changed, and close it if possible.

    Return whether anything changed.
    """
    pool.has_news[node] = 1
    decider = wide(pool.deciders[node])
    changes = False
    if decider == NONE:
        limit_moves(pool, node)
    for role in range(pool.lower.shape[1]):
        if decider == NONE:
            low, high = _among_several(pool, node, role, chance)
        elif decider == chance:
            low, high = _by_chance(pool, node, decider, role)
        elif decider == role:
            low, high = _by_choice(pool, node, role)
        else:
            low, high = _by_others_choice(pool, node, decider, role)
        if _tighten(pool, node, role, low, high):
            changes = True
            if pool.lower[node, role] == pool.upper[node, role]:
                pool.lengths[node, role] = _length(pool, node, decider, role, chance)
    return close(pool, node, chance) or changes


@kernel
def _tighten(pool: Pool, node: int, role: int, low: float, high: float) -> bool:
    # Bounds are stored and compared in 32 bits. Otherwise a rounded bound would always seem to
    # change.
    lower, upper = np.float32(low), np.float32(high)
    is_news = False
    if lower > pool.lower[node, role]:
        pool.lower[node, role] = lower
        is_news = True
    if upper < pool.upper[node, role]:
        pool.upper[node, role] = upper
        is_news = True
    return is_news


@kernel
def is_proven_about(pool: Pool, node: int) -> bool:
    """Return whether anything is proven about a node."""
    for role in range(pool.lower.shape[1]):
        if pool.lower[node, role] > WORST or pool.upper[node, role] < BEST:
            return True
    return False


@kernel
def reset_bounds(pool: Pool, node: int, chance: int) -> None:
    """Reset the bounds of an open node to what its children prove now.

    The old bounds are correct, but the children that proved them may have been dropped. The role to
    move must find its move again.
    """
    for role in range(pool.lower.shape[1]):
        pool.lower[node, role] = WORST
        pool.upper[node, role] = BEST
    pool.is_closed[node] = 0
    prove(pool, node, chance)


@kernel
def bounds_of(pool: Pool, child: int, role: int) -> tuple[float, float]:
    """Return the bounds of a child for a role; the widest ones if the child is unknown."""
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
    is_satisfied = is_trusted(pool, decider)
    for edge in range(pool.first_edges[node, decider], pool.first_edges[node, decider + 1]):
        child = int(pool.children[edge])
        child_low, child_high = bounds_of(pool, child, role)
        low, high = min(low, child_low), max(high, child_high)
        if is_satisfied and child != NONE and pool.lower[child, decider] == best:
            satisfied_high = min(satisfied_high, child_high)
    return low, min(high, satisfied_high)


@kernel
def _by_chance(pool: Pool, node: int, decider: int, role: int) -> tuple[float, float]:
    first, last = pool.first_edges[node, decider], pool.first_edges[node, decider + 1]
    low = high = 0.0
    for edge in range(first, last):
        child_low, child_high = bounds_of(pool, int(pool.children[edge]), role)
        low, high = low + child_low, high + child_high
    low, high = low / (last - first), high / (last - first)
    if low == high:
        return low, high  # not rounded, so that the node counts as solved
    return math.floor(1000 * low) / 1000, math.ceil(1000 * high) / 1000


@kernel
def limit_moves(pool: Pool, node: int) -> None:
    """Write what is proven about each role's moves to `Pool.limits`, if several roles decide.

    The rows are the node's edges, in order. The columns are the goal that the move guarantees to
    its role, the highest goal that it can give, and how many answers to it are known.
    """
    first, num_roles, limits = int(pool.first_edges[node, 0]), pool.lower.shape[1], pool.limits
    num_joints = num_joint_moves(pool, node)
    if num_joints > MAX_JOINT_MOVES:
        return
    for row in range(int(pool.first_edges[node, num_roles]) - first):
        limits[row, LOW], limits[row, HIGH], limits[row, SEEN] = BEST, WORST, 0.0
    entry = int(pool.first_joints[node])
    while entry != NONE:
        child = int(pool.joint_children[entry])
        for role in range(num_roles):
            row = int(pool.first_edges[node, role]) - first + _own_index(pool, node, role, entry)
            limits[row, LOW] = min(limits[row, LOW], float(pool.lower[child, role]))
            limits[row, HIGH] = max(limits[row, HIGH], float(pool.upper[child, role]))
            limits[row, SEEN] += 1.0
        entry = int(pool.next_joints[entry])
    for role in range(num_roles):
        start, stop = int(pool.first_edges[node, role]), int(pool.first_edges[node, role + 1])
        for row in range(start - first, stop - first):
            if limits[row, SEEN] * (stop - start) < num_joints:
                limits[row, LOW], limits[row, HIGH] = WORST, BEST


@kernel
def _among_several(pool: Pool, node: int, role: int, chance: int) -> tuple[float, float]:
    if num_joint_moves(pool, node) > MAX_JOINT_MOVES:
        return WORST, BEST
    low, high = _best_of(pool, node, role)
    if role == chance:
        low = WORST  # the `random` role does not choose what is good for it
    for other in range(pool.lower.shape[1]):
        if other not in (role, chance) and is_trusted(pool, other):
            high = min(high, _under_satisfied(pool, node, role, other))
    return low, high


@kernel
def _best_of(pool: Pool, node: int, role: int) -> tuple[float, float]:
    first = pool.first_edges[node, 0]
    low, high = WORST, WORST
    for edge in range(pool.first_edges[node, role], pool.first_edges[node, role + 1]):
        low = max(low, pool.limits[edge - first, LOW])
        high = max(high, pool.limits[edge - first, HIGH])
    return low, high


@kernel
def _under_satisfied(pool: Pool, node: int, role: int, other: int) -> float:
    """Return the most that a role can get if another makes a move that it cannot improve on."""
    low, best = _best_of(pool, node, other)
    first = int(pool.first_edges[node, 0])
    start = int(pool.first_edges[node, other]) - first
    stop = int(pool.first_edges[node, other + 1]) - first
    if low < best or stop - start == 1:
        return BEST
    limits = pool.limits
    for row in range(start, stop):
        limits[row, WATCHED] = WORST
    entry = int(pool.first_joints[node])
    while entry != NONE:
        row = start + _own_index(pool, node, other, entry)
        high = float(pool.upper[pool.joint_children[entry], role])
        limits[row, WATCHED] = max(limits[row, WATCHED], high)
        entry = int(pool.next_joints[entry])
    least = BEST
    for row in range(start, stop):
        if limits[row, LOW] == best:
            least = min(least, limits[row, WATCHED])
    return least


@kernel
def _own_index(pool: Pool, node: int, role: int, entry: int) -> int:
    """Return the index of a role's move in a joint move among the role's moves."""
    key = pool.joint_keys[entry]
    for other in range(pool.lower.shape[1] - 1, -1, -1):
        size = np.uint64(pool.first_edges[node, other + 1] - pool.first_edges[node, other])
        if other == role:
            return int(np.int64(key % size))
        key = key // size
    return NONE


@kernel
def _length(pool: Pool, node: int, decider: int, role: int, chance: int) -> int:
    """Return the plies to the end for a role whose value is proven.

    If the value is above 0, the role chooses the shortest way to it, and other roles the longest.
    If it is 0, the role chooses the longest way, and other roles the shortest. After a move of
    chance, or of several roles at once, the longest way counts. The length is stored once, when the
    value is proven. So lengths decrease along the moves that keep a value above 0, even in cycles.
    """
    value, is_loss = pool.lower[node, role], pool.lower[node, role] == WORST
    shortest, longest = FAR, 0
    if decider == NONE:
        entry = int(pool.first_joints[node])
        while entry != NONE:
            child = int(pool.joint_children[entry])
            if pool.lower[child, role] == pool.upper[child, role]:
                longest = max(longest, int(pool.lengths[child, role]))
            entry = int(pool.next_joints[entry])
        return 1 + longest
    for edge in range(pool.first_edges[node, decider], pool.first_edges[node, decider + 1]):
        child = int(pool.children[edge])
        if child == NONE or pool.lower[child, role] != pool.upper[child, role]:
            continue
        if decider == chance or pool.lower[child, role] == value:
            shortest = min(shortest, int(pool.lengths[child, role]))
            longest = max(longest, int(pool.lengths[child, role]))
    hurries = decider != chance and (decider == role) != is_loss
    return 1 + (shortest if hurries and shortest < FAR else longest)
