"""Keeping a part of the tree: what lies below a new root, or, when the pool is full, what matters.

What is kept moves to the front of the pool, in the order in which it stands there, so nothing is
overwritten before it has moved. Numbers of nodes change; statistics do not.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ggp.search.lanes.hashing import add_joint, copy_words, find_node
from ggp.search.lanes.jit import kernel
from ggp.search.lanes.pool import EDGES, JOINTS, NODES, NONE, TERMINAL, IntArray, Pool


def keep(pool: Pool, root: int, fewest_visits: int = 0, beside: Sequence[IntArray] = ()) -> int:
    """Keep what can be reached from a root by nodes that were visited so often; the root's number.

    Solved nodes are kept however seldom they were visited: what they prove is worth more.

    Args:
        pool: The tree.
        root: A node.
        fewest_visits: Of a node that is to be kept.
        beside: Arrays that have an entry for each node, 0 for new ones; they move along.
    """
    numbers = np.full(int(pool.used[NODES]), NONE, np.int32)
    mark(pool, root, fewest_visits, numbers, np.zeros(len(numbers), np.int32))
    renumber(numbers)
    joints = np.zeros((int(pool.used[JOINTS]), 2), np.int32), pool.joint_keys.copy()
    move(pool, numbers, *joints)
    is_kept = numbers != NONE
    for array in beside:
        kept = array[: len(numbers)][is_kept]
        array[: len(kept)] = kept
        array[len(kept) : len(numbers)] = 0
    return int(numbers[root])


def visits_of_half(pool: Pool) -> int:
    """So many visits have about half of the nodes, or fewer."""
    return int(np.median(pool.visits[: int(pool.used[NODES])])) + 1


@kernel
def mark(pool: Pool, root: int, fewest: int, numbers: IntArray, stack: IntArray) -> None:
    """Set the number of all nodes to be kept to 0."""
    numbers[root] = 0
    stack[0] = root
    height = 1
    while height:
        height -= 1
        node = int(stack[height])
        if pool.kinds[node] == TERMINAL:
            continue
        decider = int(pool.deciders[node])
        if decider != NONE:
            first, last = pool.first_edges[node, decider], pool.first_edges[node, decider + 1]
            for edge in range(first, last):
                height = _push(pool, int(pool.children[edge]), fewest, numbers, stack, height)
        else:
            entry = int(pool.first_joints[node])
            while entry != NONE:
                child = int(pool.joint_children[entry])
                height = _push(pool, child, fewest, numbers, stack, height)
                entry = int(pool.next_joints[entry])


@kernel
def _push(
    pool: Pool, child: int, fewest: int, numbers: IntArray, stack: IntArray, height: int
) -> int:
    if child == NONE or numbers[child] != NONE:
        return height
    if pool.visits[child] < fewest and pool.kinds[child] != TERMINAL:
        return height
    numbers[child] = 0
    stack[height] = child
    return height + 1


@kernel
def renumber(numbers: IntArray) -> None:
    """Give the marked nodes numbers, in their order."""
    following = 0
    for node in range(len(numbers)):
        if numbers[node] != NONE:
            numbers[node] = following
            following += 1


@kernel
def move(pool: Pool, numbers: IntArray, joints: IntArray, keys: NDArray[np.uint64]) -> None:
    """Move what has a number to its place, and make the tables anew."""
    num_joints = int(pool.used[JOINTS])
    for entry in range(num_joints):
        joints[entry, 0] = pool.joint_nodes[entry]
        joints[entry, 1] = pool.joint_children[entry]
    pool.used[NODES] = pool.used[EDGES] = pool.used[JOINTS] = 0
    clear(pool.buckets)
    clear(pool.joint_buckets)
    for node in range(len(numbers)):
        if numbers[node] != NONE:
            _move_node(pool, node, numbers)
    for entry in range(num_joints):
        node, child = numbers[joints[entry, 0]], numbers[joints[entry, 1]]
        if min(node, child) != NONE:
            add_joint(pool, node, keys[entry], child)


@kernel
def clear(buckets: IntArray) -> None:
    """Empty a hash table."""
    for bucket in range(len(buckets)):
        buckets[bucket] = NONE


@kernel
def _move_node(pool: Pool, node: int, numbers: IntArray) -> None:
    target = int(numbers[node])
    num_roles = pool.lower.shape[1]
    copy_words(pool.states[node], pool.states[target])
    for role in range(num_roles):
        pool.lower[target, role] = pool.lower[node, role]
        pool.upper[target, role] = pool.upper[node, role]
    pool.phases[target] = pool.phases[node]
    pool.kinds[target] = pool.kinds[node]
    pool.visits[target] = pool.visits[node]
    pool.deciders[target] = pool.deciders[node]
    pool.lengths[target] = pool.lengths[node]
    pool.has_news[target] = pool.has_news[node]
    pool.first_joints[target] = NONE
    first, last = int(pool.first_edges[node, 0]), int(pool.first_edges[node, num_roles])
    start = int(pool.used[EDGES])
    for role in range(num_roles + 1):
        pool.first_edges[target, role] = pool.first_edges[node, role] - first + start
    for edge in range(first, last):
        moved = edge - first + start
        child = pool.children[edge]
        pool.inputs[moved] = pool.inputs[edge]
        pool.counts[moved] = pool.counts[edge]
        pool.sums[moved] = pool.sums[edge]
        pool.children[moved] = numbers[child] if child != NONE else NONE
    pool.used[EDGES] = start + last - first
    pool.used[NODES] = target + 1
    _, bucket = find_node(pool, pool.states[target], int(pool.phases[target]))
    pool.buckets[bucket] = target
