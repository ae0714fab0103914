"""Opponents that err: estimate whether the other roles think, and values of moves if they do not.

The search tree assumes that all roles play as well as it does. With two players this costs little.
With more players, a player that does not think misleads the search in two ways. The search gives up
what only a good player would take, and it relies on one opponent to stop another.

So each move of another role is evidence for one of three hypotheses. The role prefers what the tree
thinks is good for it, or it moves at random, or it makes the first legal move. In the tree, a role
does each of these with the probability of the hypothesis.

The other roles are probably alike: all are serious players, or all are there to try a player out.
So a role that does not think is evidence against the others, too. That matters because a random
move often looks as good as any other, while a role that makes the first legal move is found out
after one or two.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

import gdl
from gdl import kernel
from ggp.search.core.choices import Joint
from ggp.search.fast.tree.backup import MIDDLE, value_of
from ggp.search.fast.tree.nodes import BEST, OPEN, UNTRUSTED, Pool, find_node
from ggp.search.kernels.arrays import NONE, FloatArray, IntArray, LongArray, Words

# Columns of `Beliefs.erring`
AT_RANDOM, BY_ORDER = range(2)

MIN_ROLES = 3  # with fewer roles, not counting `random`, all are trusted
FIELDS = np.array([0.6, 0.4])  # probabilities that the other roles are serious players, or not
IN_FIELD = np.array([[0.95, 0.03, 0.02], [0.15, 0.55, 0.3]])
"""In each field, probabilities that a role thinks, moves at random, makes the first move."""
LEAST = 0.001  # minimum likelihood of each hypothesis, so that none is ruled out for ever
IGNORED = 0.02  # hypotheses with a smaller probability are ignored
DISTRUST = 0.2  # probability of not thinking above which a role's choices prove nothing
TOLERANCE = 6.0  # goal points; a move that is worse by this is made about a third as often
SURPRISES = np.array([0.15, 0.0, 0.05])  # share of random moves under each hypothesis
VISITS_PER_MOVE = 50  # minimum visits per move for the tree's values to be evidence


class Beliefs(NamedTuple):
    """Beliefs about the other roles, in arrays for the kernels, with `I` inputs and `R` roles."""

    erring: FloatArray  # [R, 2] probability of each way of not thinking
    order: IntArray  # [I] the rank of each move, sorted by text


class Opponents:
    """Beliefs about whether the other roles think. They start from `FIELDS` and `IN_FIELD`.

    Attributes:
        beliefs: The beliefs about each role. Our own role and `random` are never in doubt.
    """

    def __init__(
        self, inputs: Sequence[tuple[int, object]], num_roles: int, own: int, chance: int
    ) -> None:
        others = [role for role in range(num_roles) if role not in (own, chance)]
        self.beliefs = Beliefs(np.zeros((num_roles, 2)), np.zeros(len(inputs), np.int32))
        self._likelihoods: dict[int, FloatArray] = {}  # of all moves so far, the largest is 1
        if len(others) + 1 < MIN_ROLES:
            return
        by_text = sorted(range(len(inputs)), key=lambda number: str(inputs[number][1]))
        self.beliefs.order[by_text] = np.arange(len(inputs))
        self._numbers = {made: number for number, made in enumerate(inputs)}
        self._likelihoods = {role: np.ones(IN_FIELD.shape[1]) for role in others}

    def observe(self, pool: Pool, node: int, moves: Joint) -> None:
        """Learn from the moves that all roles have made in a node."""
        for role, before in self._likelihoods.items():
            made = self._numbers.get((role, moves[role]), NONE)
            likely = _likelihoods(pool, node, role, made, self.beliefs.order)
            if likely is not None:
                after = before * likely
                self._likelihoods[role] = np.maximum(after / after.max(), LEAST)
        self.apply_to(pool)

    def apply_to(self, pool: Pool) -> None:
        """Write the probabilities to `beliefs`, and the untrusted roles to the pool."""
        fields = FIELDS.copy()
        for likely in self._likelihoods.values():
            fields *= IN_FIELD @ likely
        for role, likely in self._likelihoods.items():
            # What the role itself did counts once: in its own likelihood.
            shares = (fields / (IN_FIELD @ likely)) @ IN_FIELD * likely
            found = shares[1:] / shares.sum()
            self.beliefs.erring[role] = np.where(found > IGNORED, found, 0.0)
        pool.used[UNTRUSTED] = sum(1 << role for role in self.untrusted)

    @property
    def untrusted(self) -> list[int]:
        """The roles that may not think, once there is any evidence. Before, all are trusted."""
        is_known = any(likely.min() < 1 for likely in self._likelihoods.values())
        doubts = self.beliefs.erring.sum(axis=1)
        return [role for role in self._likelihoods if is_known and doubts[role] > DISTRUST]


@kernel
def first_in_order(pool: Pool, node: int, role: int, order: IntArray) -> int:
    """Return the edge of a role's first move in the order of the moves' texts."""
    best = int(pool.first_edges[node, role])
    for edge in range(best + 1, pool.first_edges[node, role + 1]):
        if order[pool.inputs[edge]] < order[pool.inputs[best]]:
            best = edge
    return best


def _likelihoods(pool: Pool, node: int, role: int, made: int, order: IntArray) -> FloatArray | None:
    """Return the likelihood of a role's move under each hypothesis.

    Return None if the move is no evidence: there was no choice, or the tree knows too little.
    """
    if pool.kinds[node] != OPEN:
        return None
    first, last = int(pool.first_edges[node, role]), int(pool.first_edges[node, role + 1])
    chosen = np.flatnonzero(pool.inputs[first:last] == made)
    if last - first < 2 or not len(chosen) or pool.visits[node] < VISITS_PER_MOVE * (last - first):
        return None
    place, at_random = int(chosen[0]), 1 / (last - first)
    is_first = place == order[pool.inputs[first:last]].argmin()
    fits = np.array([_preferences(pool, role, first, last)[place], at_random, float(is_first)])
    found: FloatArray = (1 - SURPRISES) * fits + SURPRISES * at_random
    return found


def _preferences(pool: Pool, role: int, first: int, last: int) -> FloatArray:
    """Return the probability of each move of a role that evaluates moves as the tree does."""
    values = np.where(pool.done[first:last] > 0, pool.values[first:last], 0.0).astype(np.float64)
    for number, child in enumerate(pool.children[first:last].tolist()):
        is_known = child != NONE and (
            pool.is_closed[child] or pool.lower[child, role] == pool.upper[child, role]
        )
        if is_known:
            values[number] = value_of(pool, child, role, NONE)
    weights = np.exp((values - values.max()) / TOLERANCE)
    shares: FloatArray = weights / weights.sum()
    return shares


MAX_STATES = 4096  # maximum number of states of a level
HORIZON = 500  # maximum number of moves of a playout
ROUNDS = 4  # how often all lanes play, which gives about a dozen playouts for each of 128 states


@dataclass(eq=False)
class _Level:
    """The `N` states after a number of plies, each with `W` words."""

    phase: int
    states: Words  # [N, W]
    values: FloatArray  # [N] for our role; NaN if unknown yet
    parents: LongArray  # [N] indices of states in the level above
    movers: list[int] = field(default_factory=list)  # [N] the only role with a choice, or NONE
    joints: list[list[list[int]]] = field(default_factory=list)  # [N] inputs of each joint move


@dataclass(frozen=True)
class Forecast:
    """An estimate of a role's goals, 0..100, if it makes its best moves and the others random ones.

    A search that assumes perfect play cannot distinguish proven draws. Against opponents who err,
    the best of them is the move with the highest estimate. The tree for it is as deep as memory
    allows. Its leaves get proven values or playouts.
    """

    _pool: Pool
    _expander: gdl.Expander
    _own: int  # the role's index

    def of(self, root: int, edges: list[int]) -> dict[int, float]:
        """Return the estimate for each edge of a node in which only the role decides."""
        levels = [self._first(root, edges)]
        while following := self._next(levels[-1]):
            levels.append(following)
        self._play(levels[-1])
        for above, below in zip(levels[-2::-1], levels[:0:-1], strict=True):
            self._back_up(above, below)
        return dict(zip(edges, levels[0].values.tolist(), strict=True))

    def _first(self, root: int, edges: list[int]) -> _Level:
        pool, num_roles = self._pool, self._expander.num_roles
        others = pool.inputs[pool.first_edges[root, :num_roles]].tolist()
        joints = [list(others) for _ in edges]
        for joint, edge in zip(joints, edges, strict=True):
            joint[self._own] = int(pool.inputs[edge])
        phase, states, unknown = int(pool.phases[root]), pool.states[root][None], np.full(1, np.nan)
        return self._made(_Level(phase, states, unknown, np.zeros(1, np.int64), joints=[joints]))

    def _next(self, level: _Level) -> _Level | None:
        """Return the children of the states without a value. Return None if there are too many.

        Also return None if all states have values. A level is either complete or missing, so that
        playouts are compared only with playouts.
        """
        return self._made(level) if 0 < sum(map(len, level.joints)) <= MAX_STATES else None

    def _made(self, above: _Level) -> _Level:
        expander, phase = self._expander, (above.phase + 1) % self._expander.num_phases
        joints = [joint for each in above.joints for joint in each]
        parents = np.repeat(np.arange(len(above.joints)), [len(each) for each in above.joints])
        states = np.empty((len(joints), expander.num_words), np.uint64)
        level = _Level(phase, states, np.full(len(joints), np.nan), parents)
        for first in range(0, len(joints), expander.num_leaves_max):
            part = slice(first, min(first + expander.num_leaves_max, len(joints)))
            num = part.stop - first
            expander.parents[:num] = above.states[parents[part]]
            expander.moves[:num] = joints[part]
            expander.expand(num, above.phase)
            states[part] = expander.children[:num]
            for leaf in range(num):
                self._look(level, leaf, first + leaf)
        return level

    def _look(self, level: _Level, leaf: int, number: int) -> None:
        expander, pool, own = self._expander, self._pool, self._own
        mover, joints = NONE, list[list[int]]()
        node, _ = find_node(pool, expander.children[leaf], level.phase)
        if expander.is_terminal[leaf]:
            level.values[number] = expander.goals[leaf, own]
        elif node != NONE and pool.lower[node, own] == BEST:
            level.values[number] = BEST
        else:
            mover, joints = _choices(expander, leaf)
        level.movers.append(mover)
        level.joints.append(joints)

    def _play(self, level: _Level) -> None:
        expander, own = self._expander, self._own
        unknown = np.flatnonzero(np.isnan(level.values))
        for first in range(0, len(unknown), expander.num_leaves_max):
            part = unknown[first : first + expander.num_leaves_max]
            expander.children[: len(part)] = level.states[part]
            expander.play(len(part), level.phase, ROUNDS, HORIZON)
            level.values[part] = expander.totals[: len(part), own] / expander.num_playouts_per_leaf

    def _back_up(self, above: _Level, below: _Level) -> None:
        for number in np.flatnonzero(np.isnan(above.values)).tolist():
            values = below.values[below.parents == number]
            is_own = above.movers[number] == self._own
            # A state in which several roles choose at once has no children and is undecided.
            above.values[number] = (
                MIDDLE if not len(values) else (values.max() if is_own else values.mean())
            )


def _choices(expander: gdl.Expander, leaf: int) -> tuple[int, list[list[int]]]:
    """Return the only role with a choice in a leaf, and the joint moves.

    Return the first role if no role has a choice. Return NONE and no joint moves if several roles
    have a choice, or if a role has no legal move.
    """
    legal = expander.legal_of(leaf)
    deciders = [role for role, moves in enumerate(legal) if len(moves) > 1]
    if len(deciders) > 1 or not all(legal):
        return NONE, []
    mover = deciders[0] if deciders else 0
    others = [moves[0] for moves in legal]
    return mover, [[*others[:mover], move, *others[mover + 1 :]] for move in legal[mover]]
