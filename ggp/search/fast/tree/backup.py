"""Backing up: add the results of a batch of iterations to the nodes and edges of their paths."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gdl import kernel
from ggp.search.fast.tree.nodes import (
    BEST,
    CIRCLES,
    NO_SUM,
    NO_SUM_YET,
    SHARED,
    WORST,
    Pool,
    wide,
)
from ggp.search.kernels.arrays import NONE, FloatArray, IntArray, LongArray

MAX_PLIES = 512  # maximum number of plies of a path, which may contain cycles if the game does

# Indices of `Paths.counters`
ROUNDS, DEEPEST, PLIES = range(3)


class Paths(NamedTuple):
    """The paths of iterations in progress, from the root.

    There are `P` phases, `L` leaves for each of them, and `R` roles. Leaf i of phase p is row
    `p * L + i`. A step of a path is a node and the edge of each role.
    """

    nums: IntArray  # [P] iterations that wait for their leaf, by the phase of the leaf's parent
    lengths: IntArray  # [P * L]
    nodes: IntArray  # [P * L, MAX_PLIES]
    edges: IntArray  # [P * L, MAX_PLIES, R]
    truths: IntArray  # [P * L, MAX_PLIES] known child that is better than the visited one, or NONE
    returns: FloatArray  # [R] the goals of the iteration that is backed up
    counters: LongArray  # [3] iterations so far, plies of the longest path, plies of all paths


def make_paths(num_phases: int, num_leaves: int, num_roles: int) -> Paths:
    """Create empty paths for the iterations of one batch in each phase."""
    rows = num_phases * num_leaves
    return Paths(
        nums=np.zeros(num_phases, np.int32),
        lengths=np.zeros(rows, np.int32),
        nodes=np.zeros((rows, MAX_PLIES), np.int32),
        edges=np.zeros((rows, MAX_PLIES, num_roles), np.int32),
        truths=np.zeros((rows, MAX_PLIES), np.int32),
        returns=np.zeros(num_roles),
        counters=np.zeros(3, np.int64),
    )


NEARER = 1e-3  # share of its distance from 50 that a goal loses per turn
CIRCLE = 1.0  # points that a role loses by coming back to a state
MIDDLE = (WORST + BEST) / 2

ROUNDING = 0.5  # tolerance of the sum of goals, because leaf values are rounded


@kernel
def back_up(pool: Pool, paths: Paths, row: int, length: int, chance: int) -> None:
    """Add the returns of an iteration, `Paths.returns`, to the nodes and edges of its path.

    The returns are a goal for each role. Where several roles decide at once, they are moved
    slightly towards 50, so a good result is worth more the sooner it comes, and a bad one less.
    Otherwise roles that can both wait would wait forever.

    If a better move is known in a node, the iteration only explored an alternative. Then the value
    of the better move counts in that node and above it.
    """
    returns = paths.returns
    for step in range(length - 1, -1, -1):
        node, edges = wide(paths.nodes[row, step]), paths.edges[row, step]
        decider = wide(pool.deciders[node])
        if decider == NONE:
            _put_off(returns)
        gain = 0.0
        for role in range(len(returns)):
            if decider == role:
                gain = _revalue(pool, edges[role], role, returns[role], chance)
            elif decider == NONE or step == 0:
                _average(pool, edges[role], returns[role])
        truth = wide(paths.truths[row, step])
        if truth != NONE:
            for role in range(len(returns)):
                returns[role] = value_of(pool, truth, role, chance)
        if not pool.is_closed[node]:
            _count(pool, node, returns, NONE if truth != NONE else decider, gain, chance)


@kernel
def _count(
    pool: Pool, node: int, returns: FloatArray, decider: int, gain: float, chance: int
) -> None:
    """Add the result of an iteration to the totals of a node.

    The deciding role gets `gain`. If it is one of two players whose goals have a fixed sum, the
    other player gets the sum minus `gain`. All other roles get their `returns`.
    """
    pool.known[node] += 1
    shared = pool.used[SHARED] if decider not in (NONE, chance) else NO_SUM_YET
    for role in range(len(returns)):
        if role == decider:
            pool.totals[node, role] += gain
        elif shared >= 0 and role != chance:
            pool.totals[node, role] += shared - gain
        else:
            pool.totals[node, role] += returns[role]


@kernel
def _put_off(returns: FloatArray) -> None:
    for role in range(len(returns)):
        returns[role] -= NEARER * (returns[role] - MIDDLE)


@kernel
def back_up_best(pool: Pool, paths: Paths, row: int, length: int, chance: int) -> None:
    """Set the prior of each edge on a path to the prior of the best next move, if there are any."""
    if len(pool.priors) == 1:
        return
    for step in range(length - 1, -1, -1):
        decider = wide(pool.deciders[wide(paths.nodes[row, step])])
        if decider == NONE:
            continue
        edge = wide(paths.edges[row, step, decider])
        if pool.children[edge] != NONE:
            _note_best(pool, edge, wide(pool.children[edge]), decider, chance)


@kernel
def _note_best(pool: Pool, edge: int, child: int, role: int, chance: int) -> None:
    low, high = float(pool.lower[child, role]), float(pool.upper[child, role])
    value = value_of(pool, child, role, chance)
    if not pool.is_closed[child] and low < high:
        mover = wide(pool.deciders[child])
        shared = pool.used[SHARED]
        if mover in (NONE, chance) or (mover != role and shared < 0):
            return
        value = WORST
        for other in range(pool.first_edges[child, mover], pool.first_edges[child, mover + 1]):
            value = max(value, float(pool.priors[other]))
        if mover != role:
            value = shared - value
    pool.priors[edge] = min(max(value, low), high)


@kernel
def _revalue(pool: Pool, edge: int, role: int, returns: float, chance: int) -> float:
    """Set an edge's value to that of its child. Return what this adds to the node's total.

    If the child has no reliable value, include `returns` in the mean of the edge instead.
    """
    child, done = wide(pool.children[edge]), float(pool.done[edge])
    before = done * float(pool.values[edge])
    if child == NONE or pool.used[CIRCLES] or not _is_valued(pool, child, role):
        _average(pool, edge, returns)
    else:
        pool.values[edge] = value_of(pool, child, role, chance)
        pool.done[edge] += 1
    return (done + 1.0) * float(pool.values[edge]) - before


@kernel
def _average(pool: Pool, edge: int, returns: float) -> None:
    pool.done[edge] += 1
    pool.values[edge] += (returns - pool.values[edge]) / pool.done[edge]


@kernel
def _is_valued(pool: Pool, node: int, role: int) -> bool:
    return bool(pool.known[node] > 0 or pool.lower[node, role] == pool.upper[node, role])


@kernel
def value_of(pool: Pool, node: int, role: int, chance: int) -> float:
    """Return the expected goal of a role in a node, within its bounds; 50 if nothing is known.

    In a fixed-sum game the bounds of the deciding role limit the other role too.
    """
    low, high = float(pool.lower[node, role]), float(pool.upper[node, role])
    if low == high:
        return low
    decider, shared = wide(pool.deciders[node]), pool.used[SHARED]
    if shared >= 0 and decider not in (NONE, role, chance):
        high = max(low, min(high, shared - float(pool.lower[node, decider])))
        low = min(high, max(low, shared - float(pool.upper[node, decider])))
    if pool.known[node] == 0:
        return min(max(MIDDLE, low), high)
    return min(max(float(pool.totals[node, role] / pool.known[node]), low), high)


@kernel
def value_in_circle(pool: Pool, node: int, role: int, chance: int) -> float:
    """Return a role's value of a cycle that leads back to a node where several roles decide.

    It is slightly less than the value of the node. Otherwise waiting would be as good as any other
    move.
    """
    return max(WORST, value_of(pool, node, role, chance) - CIRCLE)


@kernel
def note_shared(pool: Pool, returns: FloatArray, chance: int) -> None:
    """Record whether the goals of two players have a fixed sum."""
    num_players = len(returns) - (chance != NONE)
    shared = 0.0
    for role in range(len(returns)):
        if role != chance:
            shared += returns[role]
    if pool.used[SHARED] == NO_SUM_YET and num_players == 2:
        pool.used[SHARED] = round(shared)
    elif num_players != 2 or abs(shared - pool.used[SHARED]) > ROUNDING:
        pool.used[SHARED] = NO_SUM


@kernel
def count_playout(
    pool: Pool, node: int, edges: IntArray, child: int, returns: FloatArray, chance: int
) -> None:
    """Add the result of a leaf's playouts to the totals of its node `child`.

    If the node is new, also add the earlier iterations through its edge.
    """
    decider = wide(pool.deciders[node])
    before, value = wide(0), 0.0
    if pool.known[child] == 0 and decider not in (NONE, chance):
        before = wide(pool.done[edges[decider]])
        value = float(pool.values[edges[decider]])
    shared = pool.used[SHARED]
    for role in range(len(returns)):
        earlier = returns[role]
        if role == decider:
            earlier = value
        elif shared >= 0 and role != chance:
            earlier = shared - value
        pool.totals[child, role] += before * earlier + returns[role]
    pool.known[child] += before + 1
