"""Selection: walk from the root to a batch of moves whose outcome is unknown.

An iteration in progress counts as a visit without return (a virtual loss), so that the iterations
of a batch spread out. In each node, `choosing` selects the moves of the roles.

Virtual loss: Chaslot, Winands and van den Herik, Parallel Monte-Carlo Tree Search, 2008.
"""

from __future__ import annotations

import numpy as np

from gdl import kernel
from ggp.search.fast.tree.backup import (
    DEEPEST,
    MAX_PLIES,
    PLIES,
    ROUNDS,
    Paths,
    back_up,
    back_up_best,
    value_in_circle,
    value_of,
)
from ggp.search.fast.tree.choosing import UNDECIDED, SelectionParameters, choose
from ggp.search.fast.tree.nodes import CIRCLES, NOW, Pool, find_joint, wide
from ggp.search.fast.tree.prove import prove_upwards
from ggp.search.kernels.arrays import NONE, IntArray


@kernel
def descend(
    pool: Pool, paths: Paths, root: int, num_leaves: int, most: int, parameters: SelectionParameters
) -> int:
    """Start iterations until one phase has `num_leaves` leaves, and return that phase.

    If there are not enough leaves, return the phase with most leaves, or NONE if there are none.

    Args:
        root: An open node, where the iterations start.
        most: Maximum number of iterations, including those that end at closed nodes.
    """
    limit = len(paths.lengths) // len(paths.nums)
    for _ in range(most):
        phase = _begin_round(pool, paths, root, limit, parameters)
        if phase != NONE and paths.nums[phase] >= num_leaves:
            return phase
    fullest = NONE
    for phase in range(len(paths.nums)):
        if paths.nums[phase] and (fullest == NONE or paths.nums[phase] > paths.nums[fullest]):
            fullest = phase
    return fullest


@kernel
def drop_paths(pool: Pool, paths: Paths) -> None:
    """Undo the selections of all iterations in progress, as if they had not begun."""
    limit = len(paths.lengths) // len(paths.nums)
    for phase in range(len(paths.nums)):
        for row in range(phase * limit, phase * limit + wide(paths.nums[phase])):
            _undo(pool, paths, row)
        paths.counters[ROUNDS] -= paths.nums[phase]
        paths.nums[phase] = 0


@kernel
def _undo(pool: Pool, paths: Paths, row: int) -> None:
    for step in range(wide(paths.lengths[row])):
        node = wide(paths.nodes[row, step])
        pool.visits[node] -= 1
        for role in range(pool.lower.shape[1]):
            if step == 0 or pool.deciders[node] in (role, NONE):
                pool.counts[paths.edges[row, step, role]] -= 1


@kernel
def _begin_round(
    pool: Pool, paths: Paths, root: int, limit: int, parameters: SelectionParameters
) -> int:
    """Descend once. Return the phase of the leaf's parent, or NONE if the iteration has ended."""
    phase = int(pool.phases[root])
    # The phase of the leaf is known only at the end. So the path is written to a free row of the
    # root's phase, and copied if it belongs to another phase.
    row = phase * limit + int(paths.nums[phase])
    nodes, edges, truths = paths.nodes[row], paths.edges[row], paths.truths[row]
    node, length = root, 0
    while True:
        nodes[length] = node
        is_root = node == root
        child, truths[length] = _step_down(pool, node, edges[length], is_root, parameters)
        length += 1
        if child == NONE or length == MAX_PLIES:
            break
        if pool.is_closed[child]:
            break
        if pool.used[CIRCLES] and _is_among(nodes, length, child):
            break
        node = child
    paths.counters[ROUNDS] += 1
    paths.counters[PLIES] += length
    paths.counters[DEEPEST] = max(paths.counters[DEEPEST], length)
    if child != NONE:
        _count(pool, paths, row, length, child, parameters.chance)
        prove_upwards(pool, nodes, length, parameters.chance)  # the proof may be new on this path
        return NONE
    home = int(pool.phases[node])
    target = home * limit + int(paths.nums[home])
    if target != row:
        for step in range(length):
            paths.nodes[target, step], paths.truths[target, step] = nodes[step], truths[step]
            for role in range(edges.shape[1]):
                paths.edges[target, step, role] = edges[step, role]
    paths.lengths[target] = length
    paths.nums[home] += 1
    return home


@kernel
def _step_down(
    pool: Pool, node: int, edges: IntArray, is_root: bool, parameters: SelectionParameters
) -> tuple[int, int]:
    """Select the moves of all roles with a choice.

    Return the child (NONE if it is unknown), and a closed or proven child that is better (NONE if
    there is none). At the root, edges of roles without a choice are counted too, so that they get a
    value.
    """
    pool.visits[node] += 1
    pool.stamps[node] = pool.used[NOW]
    decider = int(pool.deciders[node])
    better = NONE
    for role in range(pool.lower.shape[1]):
        if decider in (role, NONE):
            edge, better = choose(pool, node, role, parameters)
        elif is_root:
            edge = int(pool.first_edges[node, role])
        else:
            continue
        edges[role] = edge
        pool.counts[edge] += 1
    if decider != NONE:
        return wide(pool.children[edges[decider]]), better
    return child_of(pool, node, edges), NONE


@kernel
def child_of(pool: Pool, node: int, edges: IntArray) -> int:
    """Return the node that a joint move leads to, or NONE if it is unknown."""
    decider = pool.deciders[node]
    if decider != NONE:
        return wide(pool.children[edges[decider]])
    entry = find_joint(pool, node, joint_key(pool, node, edges))
    return NONE if entry == NONE else wide(pool.joint_children[entry])


@kernel
def joint_key(pool: Pool, node: int, edges: IntArray) -> np.uint64:
    """Return the number that identifies a joint move within its node."""
    key = np.uint64(0)
    for role in range(len(edges)):
        first, last = pool.first_edges[node, role], pool.first_edges[node, role + 1]
        key = key * np.uint64(last - first) + np.uint64(edges[role] - first)
    return key


@kernel
def _is_among(nodes: IntArray, length: int, node: int) -> bool:
    """Return whether a path already contains a node, so that it must end to avoid a cycle."""
    step = length - 1
    while step >= 0 and nodes[step] != node:
        step -= 1
    return step >= 0


@kernel
def _count(pool: Pool, paths: Paths, row: int, length: int, child: int, chance: int) -> None:
    """Back up an iteration that ends at a node of the tree instead of a new leaf."""
    for role in range(len(paths.returns)):
        if pool.is_closed[child]:
            paths.returns[role] = value_of(pool, child, role, chance)
        elif pool.deciders[child] == NONE:
            paths.returns[role] = value_in_circle(pool, child, role, chance)
        else:
            paths.returns[role] = UNDECIDED
    back_up(pool, paths, row, length, chance)
    back_up_best(pool, paths, row, length, chance)
