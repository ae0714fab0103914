"""The iterations of the search, each from a world to the end of the game.

This is multi-observer information-set Monte Carlo tree search: P. Cowling, E. Powley, D.
Whitehouse, Information Set Monte Carlo Tree Search, IEEE TCIAIG 2012. Each iteration draws a world.
All roles descend in their own trees at the same time, each according to what it would know in this
world. From its first new node on, a role plays at random. The outcome is added to all chosen edges.

The worlds agree with what the searching role knows. If all iterations started there, the other
roles would seem to know it too, and would act as if they saw what the searching role hides. So some
iterations start in the initial state, where no role knows more than the others, and the trees of
the other roles learn mostly from these. The other roles also make some of their moves at random.
Otherwise a losing role would see no difference between its moves, although opponents do make
errors.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gdl import kernel
from ggp.search.hidden.ismcts.trees import Trees, add_moves, add_node, has_moves
from ggp.search.kernels.arrays import NONE, FloatArray, IntArray, LongArray, Words
from ggp.search.kernels.game import advance, choose, draw, goal_of, holds, list_legal, load, make
from ggp.search.kernels.hashing import STEP, bucket_of, mix

if TYPE_CHECKING:
    from gdl import ScalarPlaces as Places

LONGEST_PATH = 1 << 12  # maximum number of edges in the trees that an iteration can take
ROUNDS, STATES, DEEPEST, VISITS = range(4)  # indices into `Descent.counters`
_PARTS = 1 << 30  # resolution of random numbers


class Descent(NamedTuple):
    """The data of an iteration.

    There are `N` worlds, packed into `W` words each, `R` roles, `I` inputs and `P` percepts.
    """

    layout: IntArray  # layout of the game
    memory: IntArray  # memory of the game
    trees: Trees
    worlds: IntArray  # [N + 1, W] packed states; the last is the initial state
    weights: FloatArray  # [N] cumulative weights of the worlds
    world_known: Words  # [N + 1, R] what each role knows, see `ggp.belief.information`
    percept_starts: IntArray  # [R + 1] where the percepts of each role begin
    percepts: IntArray  # [P] the literal of each percept
    move_numbers: IntArray  # [I] the number of each input's move
    is_guided: IntArray  # [R] whether the role uses its tree; 0 for `random`
    known: Words  # [R] what each role knows in this iteration
    is_inside: IntArray  # [R] whether the role is still in its tree
    legal: IntArray  # [I] working memory for legal moves
    stamps: LongArray  # [I] number of the last visit of a node in which the move was legal
    path: IntArray  # [LONGEST_PATH] the chosen edges
    path_roles: IntArray  # [LONGEST_PATH] the roles that chose them
    rewards: FloatArray  # [R] rewards of this iteration, from 0 to 1
    settings: LongArray  # [4] 0: row of the world; 3: state of the random generator
    counters: LongArray  # [4] iterations, states, longest path, visits of nodes


class RoundParameters(NamedTuple):
    """Parameters of the iterations."""

    own: int  # the role whose worlds are searched
    c: float  # weight of exploration
    unaware: float  # share of the iterations that start in the initial state
    aware_weight: float  # weight of all other iterations in the trees of the other roles
    errors: float  # share of the other roles' moves that are made at random
    horizon: int  # maximum turns of an iteration; a longer game counts as undecided (50)


@kernel
def run(at: Places, descent: Descent, parameters: RoundParameters, num: int) -> None:
    """Run `num` iterations."""
    layout, memory, counters = descent.layout, descent.memory, descent.counters
    for _ in range(num):
        is_unaware = draw(descent.settings, _PARTS) < parameters.unaware * _PARTS
        _begin(descent, is_unaware)
        load(at, layout, memory, descent.worlds[descent.settings[0]])
        inside, length, turns = 1, 0, 0
        while turns < parameters.horizon and not holds(at, memory, at.terminal):
            chosen = _choose_all(at, descent, parameters, length, is_unaware)
            if chosen == NONE:
                break
            length = chosen
            make(at, layout, memory)
            if inside > 0:
                inside = _perceive(at, descent)
            advance(at, layout, memory)
            turns += 1
        _learn(at, descent, parameters, length, is_unaware)
        counters[ROUNDS] += 1
        counters[STATES] += turns
        counters[DEEPEST] = max(counters[DEEPEST], length)


@kernel
def _choose_all(
    at: Places, descent: Descent, parameters: RoundParameters, length: int, is_unaware: bool
) -> int:
    """Choose a move for each role, and append the chosen edges to the path.

    The path has `length` edges before. Return its new number of edges, or NONE if a role has no
    legal move.
    """
    layout, memory = descent.layout, descent.memory
    for role in range(at.num_roles):
        move, edge = NONE, NONE
        if descent.is_inside[role] == 1:
            size = list_legal(at, layout, memory, role, descent.legal, 0)
            if size == 1:
                move = int(descent.legal[0])
            elif size > 1 and length < LONGEST_PATH:
                edge = _select(descent, parameters, role, size, is_unaware)
        if edge != NONE:
            move = int(descent.trees.moves[edge])
            descent.path[length] = edge
            descent.path_roles[length] = role
            length += 1
        elif move == NONE:
            move = choose(at, layout, memory, descent.settings, role)
            if move == NONE:
                return NONE
        memory[at.chosen + role] = move
    return length


@kernel
def _learn(
    at: Places, descent: Descent, parameters: RoundParameters, length: int, is_unaware: bool
) -> None:
    is_over = holds(at, descent.memory, at.terminal)
    for role in range(at.num_roles):
        goal = goal_of(at, descent.layout, descent.memory, role) if is_over else 50
        descent.rewards[role] = goal / 100
    for k in range(length):
        edge, role = descent.path[k], descent.path_roles[k]
        weight = _weight(parameters, role, is_unaware)
        descent.trees.visits[edge] += weight
        descent.trees.totals[edge] += weight * descent.rewards[role]


@kernel
def _begin(descent: Descent, is_unaware: bool) -> None:
    """Start an iteration: choose a world at random, and write its row to `settings[0]`.

    If `is_unaware` is set, choose the initial state, where no role knows more than the others.
    """
    sample = draw(descent.settings, _PARTS) / _PARTS * descent.weights[-1]
    low, high = 0, len(descent.weights) - 1
    while low < high:
        middle = (low + high) >> 1
        if descent.weights[middle] > sample:
            high = middle
        else:
            low = middle + 1
    if is_unaware:
        low = len(descent.weights)
    descent.settings[0] = low
    for role in range(len(descent.known)):
        descent.known[role] = descent.world_known[low, role]
        descent.is_inside[role] = descent.is_guided[role]


@kernel
def _weight(parameters: RoundParameters, role: int, is_unaware: bool) -> float:
    return 1.0 if is_unaware or role == parameters.own else parameters.aware_weight


@kernel
def _select(
    descent: Descent, parameters: RoundParameters, role: int, size: int, is_unaware: bool
) -> int:
    trees, key = descent.trees, descent.known[role]
    bucket = bucket_of(trees.buckets, trees.keys, key)
    node = int(trees.buckets[bucket])
    if node == NONE:
        descent.is_inside[role] = 0
        node = add_node(trees, bucket, key, descent.legal, size)
        if node == NONE:
            return NONE
    is_whole = has_moves(trees, node, descent.legal, size)
    if not is_whole and not _stamp(descent, node, size):
        return NONE
    stamp = descent.counters[VISITS]
    errs = role != parameters.own and draw(descent.settings, _PARTS) < parameters.errors * _PARTS
    best, best_value, num_new = NONE, -1.0, 0
    for edge in range(trees.firsts[node], trees.firsts[node] + trees.sizes[node]):
        if not is_whole and descent.stamps[trees.moves[edge]] != stamp:
            continue
        trees.available[edge] += _weight(parameters, role, is_unaware)
        visits = trees.visits[edge]
        if visits == 0.0 or errs:
            num_new += 1
            if draw(descent.settings, num_new) == 0:
                best = edge
        elif num_new == 0:
            exploring = parameters.c * math.sqrt(math.log(1.0 + trees.available[edge]) / visits)
            value = trees.totals[edge] / visits + exploring
            if value > best_value:
                best, best_value = edge, value
    return best


@kernel
def _stamp(descent: Descent, node: int, size: int) -> bool:
    """Mark the moves that are legal at this visit of a node, and add edges for moves that it lacks.

    Return False if the trees have no room for the new edges.
    """
    trees = descent.trees
    descent.counters[VISITS] += 1
    stamp = descent.counters[VISITS]
    for k in range(size):
        descent.stamps[descent.legal[k]] = stamp
    num = 0
    for edge in range(trees.firsts[node], trees.firsts[node] + trees.sizes[node]):
        num += descent.stamps[trees.moves[edge]] == stamp
    return num == size or add_moves(trees, node, descent.legal, size)


@kernel
def _perceive(at: Places, descent: Descent) -> int:
    """Update what the roles that are still in their trees know. Return the number of such roles."""
    num = 0
    for role in range(at.num_roles):
        if descent.is_inside[role] == 0:
            continue
        num += 1
        move = descent.move_numbers[descent.memory[at.chosen + role]]
        known = mix(descent.known[role] ^ mix(np.uint64(move) + np.uint64(1)))
        start = descent.percept_starts[role]
        for k in range(start, descent.percept_starts[role + 1]):
            if holds(at, descent.memory, descent.percepts[k]):
                percept = np.uint64(k - start) + STEP
                known = mix(known ^ mix(percept))
        descent.known[role] = known
    return num
