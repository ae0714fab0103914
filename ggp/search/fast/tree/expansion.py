"""Expansion and backing up: add the results of the lanes for a batch of leaves to the tree."""

from __future__ import annotations

import random
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import gdl
from gdl import kernel
from ggp.search.fast.tree.backup import Paths, back_up, back_up_best, count_playout, note_shared
from ggp.search.fast.tree.closing import is_solved
from ggp.search.fast.tree.nodes import (
    ASSUMED,
    BEST,
    CIRCLES,
    GRAIN,
    KNOWN,
    MAX_EDGES,
    OPEN,
    STUCK,
    TERMINAL,
    WORST,
    Pool,
    add_joint,
    copy_words,
    find_node,
    free_edges,
    take_edges,
    take_node,
    wide,
)
from ggp.search.fast.tree.prove import is_proven_about, prove_upwards
from ggp.search.fast.tree.selection import child_of, joint_key
from ggp.search.kernels.arrays import NONE, ByteArray, IntArray, LongArray, Words


class LeafBatch(NamedTuple):
    """A batch of `L` leaves, with the data about them for `R` roles, see `gdl.Expander`."""

    states: Words  # [L, W]
    is_terminal: ByteArray  # [L]
    goals: NDArray[np.int16]  # [L, R] goals of terminal states
    legal_starts: IntArray  # [L * R + 1] where the moves of each role begin, leaf by leaf
    legal: IntArray  # the legal moves of all leaves and roles, as inputs
    totals: LongArray  # [L, R] sums of goals in playouts
    lower: NDArray[np.float32]  # [L, R] the goal is at least this, as known without search
    upper: NDArray[np.float32]  # [L, R] the goal is at most this, as known without search
    lengths: NDArray[np.int16]  # [L, R] plies to the end, if both bounds are the same
    priors: NDArray[np.float32]  # the value of each of `legal`, for the role that makes it
    advantages: NDArray[np.float32]  # of each of `legal`, see `MoveHistory.write_advantages`


@kernel
def collect_leaves(pool: Pool, paths: Paths, phase: int, parents: Words, moves: IntArray) -> int:
    """List the leaves of the iterations of a phase, and return their number.

    Each leaf is given by its parent's state and the moves that lead to it.
    """
    limit = len(paths.lengths) // len(paths.nums)
    num = int(paths.nums[phase])
    for leaf in range(num):
        row = phase * limit + leaf
        last = paths.lengths[row] - 1
        node = paths.nodes[row, last]
        copy_words(pool.states[node], parents[leaf])
        decider = pool.deciders[node]
        for role in range(moves.shape[1]):
            has_choice = decider in (role, NONE)
            edge = paths.edges[row, last, role] if has_choice else pool.first_edges[node, role]
            moves[leaf, role] = pool.inputs[edge]
    return num


@kernel
def expand_and_back_up(
    pool: Pool, paths: Paths, phase: int, leaves: LeafBatch, num_playouts: int, chance: int
) -> None:
    """Finish the iterations of a phase: add their leaves to the tree, back up and prove.

    Args:
        phase: The phase of the leaves' parents.
        num_playouts: Playouts of each leaf.
        chance: Index of the `random` role, or NONE.
    """
    limit = len(paths.lengths) // len(paths.nums)
    child_phase = phase + 1 if phase + 1 < len(paths.nums) else 0
    for leaf in range(wide(paths.nums[phase])):
        row = phase * limit + leaf
        nodes, edges, length = paths.nodes[row], paths.edges[row], wide(paths.lengths[row])
        node = wide(nodes[length - 1])
        if child_of(pool, node, edges[length - 1]) == NONE and (
            len(pool.priors) > 1
            or _is_visited_again(pool, node, edges[length - 1])
            or _is_decided(leaves, leaf)
        ):
            child = add_node(pool, leaves, leaf, child_phase, wide(pool.plies[node]) + 1)
            _link(pool, node, edges[length - 1], child)
            if child != NONE and is_proven_about(pool, child):
                prove_upwards(pool, nodes, length, chance)
        for role in range(len(paths.returns)):
            paths.returns[role] = leaves.totals[leaf, role] / num_playouts
        note_shared(pool, paths.returns, chance)
        child = child_of(pool, node, edges[length - 1])
        if child != NONE and pool.kinds[child] == OPEN:
            count_playout(pool, node, edges[length - 1], child, paths.returns, chance)
        back_up(pool, paths, row, length, chance)
        back_up_best(pool, paths, row, length, chance)
    paths.nums[phase] = 0


@kernel
def add_node(pool: Pool, leaves: LeafBatch, leaf: int, phase: int, plies: int) -> int:
    """Return the node of a leaf's state. Create it if needed. Return NONE if the pool is full."""
    state = leaves.states[leaf]
    node, bucket = find_node(pool, state, phase)
    if node != NONE:
        return node
    num_roles = leaves.goals.shape[1]
    starts, start = leaves.legal_starts, leaf * num_roles
    num_legal = 0 if leaves.is_terminal[leaf] else int(starts[start + num_roles] - starts[start])
    edge = take_edges(pool, num_legal)
    node = take_node(pool) if edge != NONE else NONE
    if node == NONE:
        if edge != NONE:
            free_edges(pool, edge, num_legal)
        return NONE
    pool.buckets[bucket] = node
    copy_words(state, pool.states[node])
    pool.phases[node] = phase
    pool.visits[node], pool.plies[node] = 0, plies
    pool.first_joints[node] = NONE
    pool.has_news[node] = 0
    pool.deciders[node] = 0
    pool.known[node] = 0
    pool.totals[node] = 0.0
    if leaves.is_terminal[leaf]:
        pool.kinds[node] = TERMINAL
        for role in range(num_roles):
            pool.first_edges[node, role] = edge
            pool.lower[node, role] = pool.upper[node, role] = leaves.goals[leaf, role]
            pool.lengths[node, role] = 0
        pool.first_edges[node, num_roles] = edge
        pool.is_closed[node] = KNOWN
        return node
    _set_edges(pool, node, edge, leaves, leaf)
    if pool.kinds[node] == STUCK:
        pool.is_closed[node] = ASSUMED
    else:
        pool.is_closed[node] = KNOWN if is_solved(pool, node) else 0
    pool.has_news[node] = is_proven_about(pool, node)
    return node


@kernel
def _set_edges(pool: Pool, node: int, edge: int, leaves: LeafBatch, leaf: int) -> None:
    pool.kinds[node] = OPEN
    starts = leaves.legal_starts
    num_roles = pool.lower.shape[1]
    start = leaf * num_roles
    num_deciders = 0
    for role in range(num_roles):
        pool.lower[node, role] = leaves.lower[leaf, role]
        pool.upper[node, role] = leaves.upper[leaf, role]
        pool.lengths[node, role] = leaves.lengths[leaf, role]
        first, last = int(starts[start + role]), int(starts[start + role + 1])
        pool.first_edges[node, role] = edge
        for index in range(first, last):
            pool.inputs[edge] = leaves.legal[index]
            pool.counts[edge] = 0
            pool.done[edge] = 0
            pool.values[edge] = 0.0
            pool.children[edge] = NONE
            if len(pool.priors) > 1:
                pool.priors[edge] = leaves.priors[index]
            if len(pool.advantages) > 1:
                pool.advantages[edge] = leaves.advantages[index]
            edge += 1
        if last == first:
            pool.kinds[node] = STUCK
        if last - first > 1:
            num_deciders += 1
            pool.deciders[node] = role if num_deciders == 1 else NONE
    pool.first_edges[node, num_roles] = edge


@kernel
def _is_visited_again(pool: Pool, node: int, edges: IntArray) -> bool:
    """Return whether each role with a choice has made its move here more than once."""
    decider = pool.deciders[node]
    for role in range(len(edges)):
        if decider in (role, NONE) and pool.counts[edges[role]] < 2:
            return False
    return True


@kernel
def _is_decided(leaves: LeafBatch, leaf: int) -> bool:
    if leaves.is_terminal[leaf]:
        return True
    for role in range(leaves.goals.shape[1]):
        if leaves.lower[leaf, role] > WORST or leaves.upper[leaf, role] < BEST:
            return True
    return False


@kernel
def _link(pool: Pool, node: int, edges: IntArray, child: int) -> None:
    decider = pool.deciders[node]
    if child == NONE:
        return
    # If all paths to a state have the same length, no cycle contains it.
    if pool.plies[child] != pool.plies[node] + 1:
        pool.used[CIRCLES] = 1
    if decider == NONE:
        add_joint(pool, node, joint_key(pool, node, edges), child)
    else:
        pool.children[edges[decider]] = child


STATES = 16  # number of random games
PLIES = 40  # maximum number of plies of random play
KEEP_PROVEN = 1.1  # margin, because a tree visits other states than random play
MIN_JOINTS = 1 / 16  # minimum of joint children per node, because random play may not find any


def branching_of(expander: gdl.Expander, seed: int) -> tuple[float, float]:
    """Estimate by random play how many edges and joint children a node has on average.

    Edges are counted in multiples of `GRAIN`, as they are allocated. The expander's batch is
    overwritten.
    """
    rng = random.Random(seed)
    expander.children[:STATES] = expander.initial
    num, phase, num_states, num_edges, num_joints = STATES, 0, 0, 0, 0
    expander.look(num, phase)
    for _ in range(PLIES):
        is_open = np.flatnonzero(expander.is_terminal[:num] == 0).tolist()
        legal = {leaf: expander.legal_of(leaf) for leaf in is_open}
        num_states += num
        num_edges += sum(-(-sum(map(len, each)) // GRAIN) * GRAIN for each in legal.values())
        num_joints += sum(sum(len(moves) > 1 for moves in each) > 1 for each in legal.values())
        playing = {leaf: each for leaf, each in legal.items() if all(each)}
        num = len(playing)
        if num == 0:
            break
        expander.parents[:num] = expander.children[list(playing)]
        expander.moves[:num] = [[rng.choice(moves) for moves in each] for each in playing.values()]
        expander.expand(num, phase)
        phase = (phase + 1) % expander.num_phases
    edges, joints = KEEP_PROVEN * num_edges / num_states, KEEP_PROVEN * num_joints / num_states
    return min(max(edges, GRAIN), MAX_EDGES), max(joints, MIN_JOINTS)
