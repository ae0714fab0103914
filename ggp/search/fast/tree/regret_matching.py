"""Mixed moves by regret matching, for states in which several roles decide at once.

A move that is always made can be foreseen. So the joint moves of a node are treated as a one-step
game, with the values that the tree expects. Regret matching plays this game against itself: each
role makes a move more often if the move would have given a higher goal. The average play approaches
an equilibrium if two roles have a fixed sum. In any game, the average regret of every role
vanishes.

The method is regret matching+ with alternating updates and an average that gives later play more
weight: Tammelin, Solving Large Imperfect Information Games Using CFR+, 2014. The most visited move
of decoupled UCT can be exploited: Lanctot et al., Monte Carlo Tree Search Variants for Simultaneous
Move Games, 2014.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gdl import kernel
from ggp.search.fast.tree.backup import CIRCLE
from ggp.search.fast.tree.nodes import MAX_JOINT_MOVES, WORST, Pool, find_joint
from ggp.search.kernels.arrays import NONE, FloatArray, IntArray

NUM_ROUNDS = 1000
DOUBT = 2.0  # weight, in visits, of the values of the roles' moves in the value of a joint move
FOCUS = 1.0  # initial regret of the moves of one joint move, so that all players start from it
EQUAL = 0.5  # joint moves whose sums of goals differ by less are equally good to start from


@kernel
def num_joint_moves(pool: Pool, node: int) -> int:
    """Return the number of joint moves of a node, at most `MAX_JOINT_MOVES` + 1."""
    num = 1
    for role in range(pool.lower.shape[1]):
        num *= int(pool.first_edges[node, role + 1] - pool.first_edges[node, role])
        if num > MAX_JOINT_MOVES:
            return MAX_JOINT_MOVES + 1
    return num


def shares_of(pool: Pool, node: int, chance: int) -> FloatArray | None:
    """Compute how often to make each move if several roles decide at once.

    Returns:
        `[E]` the shares of the node's edges, in order. The shares of each role add up to 1. None if
        the node has too many joint moves.
    """
    num, num_roles = num_joint_moves(pool, node), pool.lower.shape[1]
    if num > MAX_JOINT_MOVES:
        return None
    firsts = pool.first_edges[node] - pool.first_edges[node, 0]
    rows, goals = np.zeros((num, num_roles), np.int32), np.zeros((num, num_roles))
    write_payoffs(pool, node, rows, goals)
    found = Mixture(*np.zeros((4, firsts[-1])))
    settle(firsts, rows, goals, chance, found)
    return found.average


class Mixture(NamedTuple):
    """The numbers that regret matching keeps for the `E` moves of all roles."""

    regrets: FloatArray  # [E] what the role would have gained by always making the move
    shares: FloatArray  # [E] how often the move is made now
    values: FloatArray  # [E] the goal expected after the move now
    average: FloatArray  # [E] how often the move was made in all rounds


@kernel
def write_payoffs(pool: Pool, node: int, rows: IntArray, goals: FloatArray) -> None:
    """Write the goals that the tree expects after each of the `K` joint moves of an open node.

    Args:
        rows: `[K, R]` receives the edge of each role, counted from the node's first edge.
        goals: `[K, R]` receives the goals.
    """
    num_roles, start = pool.lower.shape[1], int(pool.first_edges[node, 0])
    for key in range(len(rows)):
        rest = key
        for role in range(num_roles - 1, -1, -1):
            first = int(pool.first_edges[node, role])
            size = int(pool.first_edges[node, role + 1]) - first
            rows[key, role] = first - start + rest % size
            rest //= size
        entry = find_joint(pool, node, np.uint64(key))
        child = NONE if entry == NONE else int(pool.joint_children[entry])
        for role in range(num_roles):
            expected = _expected(pool, child, role, start + int(rows[key, role]))
            goals[key, role] = max(WORST, expected - CIRCLE) if child == node else expected


@kernel
def _expected(pool: Pool, child: int, role: int, edge: int) -> float:
    """Return the expected goal of a role after a joint move that contains the move of `edge`."""
    if child != NONE and pool.lower[child, role] == pool.upper[child, role]:
        return float(pool.lower[child, role])
    prior = float(pool.values[edge]) if pool.done[edge] else 50.0
    if child == NONE:
        return prior
    value = (float(pool.totals[child, role]) + DOUBT * prior) / (pool.known[child] + DOUBT)
    return float(min(max(value, pool.lower[child, role]), pool.upper[child, role]))


@kernel
def settle(
    firsts: IntArray, rows: IntArray, goals: FloatArray, chance: int, found: Mixture
) -> None:
    """Play a one-step game against itself by regret matching, `NUM_ROUNDS` times.

    `R` roles, `K` joint moves.

    Args:
        firsts: `[R + 1]` where each role's moves begin.
        rows: `[K, R]` the moves of each joint move.
        goals: `[K, R]` the goals after each joint move.
        chance: The role that makes all its moves equally often, or NONE.
        found: Must be all zeros. Its `average` is the result.
    """
    best = _best_for_all(goals, chance)
    for role in range(len(firsts) - 1):
        found.regrets[rows[best, role]] = FOCUS if role != chance else 0.0
        _match(found, firsts[role], firsts[role + 1])
    for number in range(1, NUM_ROUNDS + 1):
        for role in range(len(firsts) - 1):
            first, last = firsts[role], firsts[role + 1]
            for row in range(first, last):
                found.average[row] += number * found.shares[row]
            if role != chance and last - first > 1:
                _regret(found, first, last, rows, goals, role)
                _match(found, first, last)
    for row in range(len(found.average)):
        found.average[row] *= 2.0 / (NUM_ROUNDS * (NUM_ROUNDS + 1))


@kernel
def _best_for_all(goals: FloatArray, chance: int) -> int:
    """Return the first joint move with the largest sum of goals."""
    best = WORST
    for key in range(len(goals)):
        best = max(best, _sum(goals, key, chance))
    for key in range(len(goals)):
        if _sum(goals, key, chance) >= best - EQUAL:
            return key
    return 0


@kernel
def _sum(goals: FloatArray, key: int, chance: int) -> float:
    total = WORST
    for role in range(goals.shape[1]):
        if role != chance:
            total += goals[key, role]
    return total


@kernel
def _regret(
    found: Mixture, first: int, last: int, rows: IntArray, goals: FloatArray, role: int
) -> None:
    shares, values = found.shares, found.values
    for row in range(first, last):
        values[row] = 0.0
    for key in range(len(rows)):
        weight = 1.0
        for other in range(rows.shape[1]):
            if other != role:
                weight *= shares[rows[key, other]]
        values[rows[key, role]] += weight * goals[key, role]
    mean = 0.0
    for row in range(first, last):
        mean += shares[row] * values[row]
    for row in range(first, last):
        found.regrets[row] = max(0.0, found.regrets[row] + values[row] - mean)


@kernel
def _match(found: Mixture, first: int, last: int) -> None:
    """Make the shares proportional to the regrets, or equal if there are no regrets."""
    total = 0.0
    for row in range(first, last):
        total += found.regrets[row]
    for row in range(first, last):
        found.shares[row] = found.regrets[row] / total if total > 0.0 else 1.0 / (last - first)
