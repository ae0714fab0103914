"""Selection: from the root down to moves whose outcome is not known, a batch of them.

Each role that has a choice picks its own move by UCB1, so simultaneous moves are decoupled; the
`random` role picks uniformly. A round under way counts as a visit that brought nothing (a virtual
loss), so the rounds of one batch spread out. Moves that are proven to be no better than another
are not looked at; what is proven is not played out again, but counts with its value.

UCT: Kocsis and Szepesvari, Bandit Based Monte-Carlo Planning, 2006. Decoupled UCT: Tak, Lanctot and
Winands, Monte Carlo Tree Search Variants for Simultaneous Move Games, 2014. Virtual loss: Chaslot,
Winands and van den Herik, Parallel Monte-Carlo Tree Search, 2008.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.search.lanes.guide import TIE, Guide, choose_guided
from ggp.search.lanes.hashing import find_joint, mix
from ggp.search.lanes.jit import kernel
from ggp.search.lanes.pool import BEST, NONE, OPEN, SEED, IntArray, Pool
from ggp.search.lanes.prove import prove_upwards

MAX_PLIES = 512  # of a path; where the game can run in circles, so can a path
UNDECIDED = 50.0

# Entries of `Paths.told`.
ROUNDS, DEEPEST, PLIES = range(3)


class Paths(NamedTuple):
    """Rounds under way. `P` phases, `L` leaves of a batch, `R` roles.

    Leaf i of phase p is row `p * L + i`. A path's step is a node and the edge of each role.
    """

    nums: IntArray  # [P] rounds that wait for their leaf, by the phase of the leaf's parent
    lengths: IntArray  # [P * L]
    nodes: IntArray  # [P * L, MAX_PLIES]
    edges: IntArray  # [P * L, MAX_PLIES, R]
    told: NDArray[np.int64]  # rounds since this was last read, the longest path, plies of all


def make_paths(num_phases: int, num_leaves: int, num_roles: int) -> Paths:
    """Room for the rounds of one batch in each phase."""
    rows = num_phases * num_leaves
    return Paths(
        nums=np.zeros(num_phases, np.int32),
        lengths=np.zeros(rows, np.int32),
        nodes=np.zeros((rows, MAX_PLIES), np.int32),
        edges=np.zeros((rows, MAX_PLIES, num_roles), np.int32),
        told=np.zeros(3, np.int64),
    )


class Manner(NamedTuple):
    """How moves are chosen on the way down."""

    c: float  # weight of exploration, for goals from 0 to 1
    chance: int  # index of the `random` role, or NONE
    guide: Guide  # what else counts


@kernel
def descend(pool: Pool, paths: Paths, root: int, num_leaves: int, most: int, manner: Manner) -> int:
    """Begin rounds until one phase has so many leaves; that phase, NONE if there is none.

    Args:
        pool: The tree.
        paths: Where the rounds are noted.
        root: Where they begin; it is open.
        num_leaves: How many leaves make a batch.
        most: Rounds to begin at most, those that end at what is proven included.
        manner: How moves are chosen.
    """
    limit = len(paths.lengths) // len(paths.nums)
    for _ in range(most):
        phase = _begin_round(pool, paths, root, limit, manner)
        if phase != NONE and paths.nums[phase] >= num_leaves:
            return phase
    fullest = NONE
    for phase in range(len(paths.nums)):
        if paths.nums[phase] and (fullest == NONE or paths.nums[phase] > paths.nums[fullest]):
            fullest = phase
    return fullest


@kernel
def _begin_round(pool: Pool, paths: Paths, root: int, limit: int, manner: Manner) -> int:
    """Go down once; the phase of the leaf's parent, NONE if the round has ended already."""
    num_roles = pool.lower.shape[1]
    phase = int(pool.phases[root])
    # The phase of the leaf is known at the end only, so the path is written to a free row of one
    # phase and stands there if it belongs there.
    row = phase * limit + int(paths.nums[phase])
    nodes, edges = paths.nodes[row], paths.edges[row]
    node, length = root, 0
    while True:
        nodes[length] = node
        pool.visits[node] += 1
        for role in range(num_roles):
            edge = _choose(pool, node, role, manner)
            edges[length, role] = edge
            pool.counts[edge] += 1
        length += 1
        child = child_of(pool, node, edges[length - 1])
        if child == NONE or length == MAX_PLIES:
            break
        if pool.kinds[child] != OPEN or _is_solved(pool, child):
            break
        node = child
    paths.told[ROUNDS] += 1
    paths.told[PLIES] += length
    paths.told[DEEPEST] = max(paths.told[DEEPEST], length)
    if child != NONE:
        _count(pool, nodes, edges, length, child)
        prove_upwards(pool, nodes, length, manner.chance)  # it may be news on this path
        return NONE
    home = int(pool.phases[node])
    target = home * limit + int(paths.nums[home])
    if target != row:
        paths.nodes[target, :length] = nodes[:length]
        paths.edges[target, :length] = edges[:length]
    paths.lengths[target] = length
    paths.nums[home] += 1
    return home


@kernel
def child_of(pool: Pool, node: int, edges: IntArray) -> int:
    """The node that a joint move leads to; NONE if it is not known."""
    decider = pool.deciders[node]
    if decider != NONE:
        return int(pool.children[edges[decider]])
    entry = find_joint(pool, node, joint_key(pool, node, edges))
    return NONE if entry == NONE else int(pool.joint_children[entry])


@kernel
def joint_key(pool: Pool, node: int, edges: IntArray) -> np.uint64:
    """The number of a joint move among those of its node."""
    key = np.uint64(0)
    for role in range(len(edges)):
        first, last = pool.first_edges[node, role], pool.first_edges[node, role + 1]
        key = key * np.uint64(last - first) + np.uint64(edges[role] - first)
    return key


@kernel
def _is_solved(pool: Pool, node: int) -> bool:
    for role in range(pool.lower.shape[1]):
        if pool.lower[node, role] != pool.upper[node, role]:
            return False
    return True


@kernel
def _count(pool: Pool, nodes: IntArray, edges: IntArray, length: int, child: int) -> None:
    """End a round at what is known: each edge gets the goals of that child."""
    is_known = _is_solved(pool, child)
    for step in range(length):
        for role in range(pool.lower.shape[1]):
            goal = float(pool.lower[child, role]) if is_known else UNDECIDED
            pool.sums[edges[step, role]] += goal


@kernel
def _random(pool: Pool, num: int) -> int:
    """A random number below another one."""
    seed = np.uint64(pool.used[SEED]) + np.uint64(0x9E3779B97F4A7C15)
    pool.used[SEED] = np.int64(seed)
    return int((mix(seed) >> np.uint64(33)) % np.uint64(num))


@kernel
def _choose(pool: Pool, node: int, role: int, manner: Manner) -> int:
    """The edge that a role takes."""
    first, last = int(pool.first_edges[node, role]), int(pool.first_edges[node, role + 1])
    if last - first == 1:
        return first
    if role == manner.chance:
        return first + _random(pool, last - first)
    start = _random(pool, last - first)  # ties go to whoever comes first from here
    bonus = BEST * manner.c * math.sqrt(math.log(max(1, pool.visits[node])))
    if manner.guide.is_on:
        return choose_guided(pool, node, role, bonus, manner.guide, start)
    return _choose_by_ucb(pool, node, role, bonus, start)


@kernel
def _choose_by_ucb(pool: Pool, node: int, role: int, bonus: float, start: int) -> int:
    """UCB1 over the moves that may still be the best; those never made come first, at random."""
    first, last = int(pool.first_edges[node, role]), int(pool.first_edges[node, role + 1])
    is_key = pool.deciders[node] == role
    floor = float(pool.lower[node, role])
    best, best_score = NONE, -1.0
    for index in range(first, last):
        edge = index + start if index + start < last else index + start - (last - first)
        count = int(pool.counts[edge])
        value = pool.sums[edge] / count if count else 0.0
        if is_key and pool.children[edge] != NONE:
            child = pool.children[edge]
            low, high = float(pool.lower[child, role]), float(pool.upper[child, role])
            if high <= floor or low == high:
                continue
            value = min(max(value, low), high)
        if count == 0:
            return edge
        score = value + bonus / math.sqrt(count)
        if score > best_score + (0.0 if is_key else TIE):
            best, best_score = edge, score
    return best if best != NONE else first + start
