"""How a role chooses its move in a node of the tree.

Each role with a choice selects its own move by UCB1, so simultaneous moves are decoupled. The
`random` role selects uniformly, and a role that does not seem to think selects as `opponents` says.
Moves that are proven to be no better than another move are skipped. Closed nodes are not searched
again, but their values count.

UCT: Kocsis and Szepesvari, Bandit Based Monte-Carlo Planning, 2006. Decoupled UCT: Tak, Lanctot and
Winands, Monte Carlo Tree Search Variants for Simultaneous Move Games, 2014.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gdl import kernel
from ggp.search.fast.tree.backup import value_of
from ggp.search.fast.tree.nodes import BEST, SEED, Pool, wide
from ggp.search.fast.tree.opponents import AT_RANDOM, BY_ORDER, Beliefs, first_in_order
from ggp.search.fast.tree.prove import bounds_of
from ggp.search.kernels.arrays import NONE, FloatArray
from ggp.search.kernels.hashing import STEP, mix

UNDECIDED = 50.0
NUM_KNOWN = 1024  # numbers of visits for which tables are kept
TIE = 1e-3  # simultaneous moves whose scores are this close are equally good
PARTS = 1 << 20  # resolution of probabilities


class SelectionParameters(NamedTuple):
    """Parameters of the selection of moves.

    Most numbers of visits are small, so functions of visits are looked up in tables.
    """

    c: float  # weight of exploration, for goals from 0 to 1
    minimax: float  # weight of the priors' minimax in a move's value; 0 without priors
    guess_visits: int  # how many visits the advantage of a move counts as; 0 if there are none
    chance: int  # index of the `random` role, or NONE
    opponents: Beliefs  # which roles do not seem to think
    logs: FloatArray  # sqrt(ln(n)), for the visits n of a node
    inverses: FloatArray  # 1 / n, for the visits n of a move
    roots: FloatArray  # 1 / sqrt(n), for the visits n of a move


def make_selection_parameters(
    c: float, minimax: float, guess_visits: int, chance: int, opponents: Beliefs
) -> SelectionParameters:
    """Create the parameters of selection. `opponents` is read again for each choice."""
    numbers = np.maximum(np.arange(NUM_KNOWN, dtype=np.float64), 1)
    tables = np.sqrt(np.log(numbers)), 1 / numbers, 1 / np.sqrt(numbers)
    return SelectionParameters(c, minimax, guess_visits, chance, opponents, *tables)


@kernel
def _random(pool: Pool, num: int) -> int:
    seed = np.uint64(pool.used[SEED]) + STEP
    pool.used[SEED] = np.int64(seed)
    return int(((mix(seed) >> np.uint64(32)) * np.uint64(num)) >> np.uint64(32))


@kernel
def _unthinking(pool: Pool, node: int, role: int, any_edge: int, opponents: Beliefs) -> int:
    """Return the edge that a role takes if it does not think, or NONE if it thinks.

    Whether it thinks is drawn at random, with the probabilities in `opponents`.
    """
    at_random, by_order = opponents.erring[role, AT_RANDOM], opponents.erring[role, BY_ORDER]
    if at_random + by_order == 0:
        return NONE
    drawn = _random(pool, PARTS) / PARTS
    if drawn >= at_random + by_order:
        return NONE
    return any_edge if drawn < at_random else first_in_order(pool, node, role, opponents.order)


@kernel
def choose(pool: Pool, node: int, role: int, parameters: SelectionParameters) -> tuple[int, int]:
    """Return the edge that a role takes, and a closed or proven child that is better, or NONE.

    Moves that were never made come first, unless they have priors. Among equally good moves, choose
    the first one after a random position.
    """
    first, last = int(pool.first_edges[node, role]), int(pool.first_edges[node, role + 1])
    if last - first == 1:
        return first, NONE
    start = first + _random(pool, last - first)
    if role == parameters.chance:
        return start, NONE
    edge = _unthinking(pool, node, role, start, parameters.opponents)
    if edge != NONE:
        return edge, NONE
    visits = pool.visits[node]
    log = parameters.logs[visits] if visits < NUM_KNOWN else math.sqrt(math.log(visits))
    bonus = BEST * parameters.c * log
    if pool.deciders[node] == role and pool.has_news[node]:
        return _choose_by_bounds(pool, node, role, start, bonus, parameters)
    return _choose_by_ucb(pool, node, role, start, bonus, parameters), NONE


@kernel
def _choose_by_ucb(
    pool: Pool, node: int, role: int, start: int, bonus: float, parameters: SelectionParameters
) -> int:
    """Select by UCB1: the best mean plus a bonus for few visits. Begin at the edge `start`.

    With guesses, each move counts as if it had been made `guess_visits` times before. The value of
    these visits is the node's mean plus the move's advantage.

    Prior knowledge in UCT: Gelly and Silver, Combining Online and Offline Knowledge in UCT, 2007.
    """
    first, last = int(pool.first_edges[node, role]), int(pool.first_edges[node, role + 1])
    minimax, guesses = parameters.minimax, parameters.guess_visits
    mean = _mean_of(pool, node, role) if guesses else 0.0
    tie = 0.0 if pool.deciders[node] == role else TIE
    best, best_score = start, -1.0
    edge = start
    for _ in range(last - first):
        count = wide(pool.counts[edge]) + guesses
        if count == 0 and len(pool.priors) == 1:
            return edge
        value = float(pool.values[edge])
        if minimax > 0:
            value += minimax * (float(pool.priors[edge]) - value)
        total = value * pool.done[edge]
        if guesses:
            total += guesses * (mean + float(pool.advantages[edge]))
        if count == 0:
            score = float(pool.priors[edge]) + bonus
        elif count < NUM_KNOWN:
            score = total * parameters.inverses[count] + bonus * parameters.roots[count]
        else:
            score = total / count + bonus / math.sqrt(count)
        if score > best_score + tie:
            best, best_score = edge, score
        edge = edge + 1 if edge + 1 < last else first
    return best


@kernel
def _mean_of(pool: Pool, node: int, role: int) -> float:
    """Return the mean outcome of a node's iterations for a role."""
    known = pool.known[node]
    return pool.totals[node, role] / known if known else UNDECIDED


@kernel
def _choose_by_bounds(
    pool: Pool,
    node: int,
    role: int,
    start: int,
    bonus: float,
    parameters: SelectionParameters,
) -> tuple[int, int]:
    """Select by UCB1 among the open moves that may be better than the best known move.

    Return the edge, and a child or NONE. If the value of the best known move is higher than the
    score of the selected move, the iteration only explores the selected move. Then return the child
    of the best known move, whose value counts instead.
    """
    first, last = int(pool.first_edges[node, role]), int(pool.first_edges[node, role + 1])
    minimax = parameters.minimax
    sure, sure_value = _surest(pool, first, last, role, parameters.chance)
    floor = max(sure_value, float(pool.lower[node, role]))
    guesses, mean = parameters.guess_visits, _mean_of(pool, node, role)
    best, best_score = NONE, -1.0
    edge = start
    for _ in range(last - first):
        count = int(pool.counts[edge])
        child = int(pool.children[edge])
        low, high = bounds_of(pool, child, role)
        if high > floor and low < high and (child == NONE or not pool.is_closed[child]):
            value = float(pool.values[edge])
            if minimax > 0:
                value += minimax * (float(pool.priors[edge]) - value)
            value = value * pool.done[edge] / count if count else UNDECIDED
            extra = bonus / math.sqrt(count) if count else BEST
            if count == 0 and len(pool.priors) > 1:
                value, extra = float(pool.priors[edge]), bonus
            if guesses:
                total = value * count if count else 0.0
                total += guesses * (mean + float(pool.advantages[edge]))
                value, extra = total / (count + guesses), bonus / math.sqrt(count + guesses)
            score = min(max(value, low), high) + extra
            if score > best_score:
                best, best_score = edge, score
        edge = edge + 1 if edge + 1 < last else first
    if best == NONE:
        return _least_known(pool, node, role, start, sure, sure_value), NONE
    return best, (int(pool.children[sure]) if sure_value > best_score else NONE)


@kernel
def _least_known(pool: Pool, node: int, role: int, start: int, sure: int, sure_value: float) -> int:
    """Return the least visited open move that may be as good for a role as its best known move.

    Visiting the move cannot improve this role's value, but it shows the goals of other roles.
    """
    first, last = int(pool.first_edges[node, role]), int(pool.first_edges[node, role + 1])
    best = start if sure == NONE else sure
    fewest = -1
    for edge in range(first, last):
        child = int(pool.children[edge])
        _, high = bounds_of(pool, child, role)
        if high < sure_value or (child != NONE and pool.is_closed[child]):
            continue
        if fewest < 0 or pool.counts[edge] < fewest:
            best, fewest = edge, int(pool.counts[edge])
    return best


@kernel
def _surest(pool: Pool, first: int, last: int, role: int, chance: int) -> tuple[int, float]:
    """Return the edge to a role's best known child (NONE if there is none), and its value."""
    sure, best = NONE, -1.0
    for edge in range(first, last):
        child = wide(pool.children[edge])
        if child == NONE:
            continue
        if pool.is_closed[child] or pool.lower[child, role] == pool.upper[child, role]:
            value = value_of(pool, child, role, chance)
            if value > best:
                sure, best = edge, value
    return sure, best
