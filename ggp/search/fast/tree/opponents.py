"""Opponents that err: whether the other roles think, and what moves bring if they do not.

A tree takes it that everybody plays as well as it does. Between two players that costs little. With
more of them it is wrong in both ways against somebody who does not think: it gives up what a good
player would take, and counts on the third player to stop the second. So each move of another role
is evidence for one of three suppositions: the role prefers what the tree thinks good for it, it
moves at random, or it makes the first legal one. The tree lets a role do each as often as it is
probable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np

import gdl
from gdl import kernel
from ggp.search.core.choices import Joint
from ggp.search.fast.tree.backup import value_of
from ggp.search.fast.tree.pool import BEST, OPEN, UNTRUSTED, Pool, find_node
from ggp.search.kernels.arrays import NONE, FloatArray, IntArray, LongArray, Words

# Columns of `Beliefs.erring`.
AT_RANDOM, BY_ORDER = range(2)

FEWEST_ROLES = 3  # with fewer nobody is in doubt
PRIOR = (0.6, 0.3, 0.1)  # that a role thinks, moves at random, makes the first move
LEAST = 0.001  # of each probability: nobody is given up for ever, or trusted for ever
IGNORED = 0.02  # what is less probable is not acted on
DISTRUST = 0.45  # that a role does not think, from which on nothing is proven by what it would do
TOLERANCE = 6.0  # goals: a move that is worse by so much is made a third as often
SURPRISES = np.array([0.15, 0.0, 0.05])  # shares of moves that do not fit, and yet it is right
VISITS_PER_MOVE = 50  # from which on the tree has an opinion


class Beliefs(NamedTuple):
    """The beliefs about the other roles, for the kernels. `I` inputs, `R` roles."""

    erring: FloatArray  # [R, 2] probability of each way not to think
    order: IntArray  # [I] the place of each move where moves are sorted by their text


class Opponents:
    """Whether the other roles think; nothing is known of anybody at first.

    Attributes:
        beliefs: What is thought of each role: nothing bad of our own and of `random`.
    """

    def __init__(
        self, inputs: Sequence[tuple[int, object]], num_roles: int, own: int, chance: int
    ) -> None:
        others = [role for role in range(num_roles) if role not in (own, chance)]
        self.beliefs = Beliefs(np.zeros((num_roles, 2)), np.zeros(len(inputs), np.int32))
        self._probabilities: dict[int, FloatArray] = {}
        if len(others) + 1 < FEWEST_ROLES:
            return
        by_text = sorted(range(len(inputs)), key=lambda number: str(inputs[number][1]))
        self.beliefs.order[by_text] = np.arange(len(inputs))
        self._numbers = {made: number for number, made in enumerate(inputs)}
        self._probabilities = {role: np.array(PRIOR) for role in others}

    def observe(self, pool: Pool, node: int, moves: Joint) -> None:
        """Learn from the moves that all roles have made in a node."""
        for role, before in self._probabilities.items():
            made = self._numbers.get((role, moves[role]), NONE)
            likely = _likelihoods(pool, node, role, made, self.beliefs.order)
            if likely is not None:
                after = before * likely
                self._probabilities[role] = np.maximum(after / after.sum(), LEAST)
        self.apply_to(pool)

    def apply_to(self, pool: Pool) -> None:
        """Let the tree reckon with what is thought of the roles."""
        for role, probabilities in self._probabilities.items():
            found = probabilities[1:] / probabilities.sum()
            self.beliefs.erring[role] = np.where(found > IGNORED, found, 0.0)
        pool.used[UNTRUSTED] = sum(1 << role for role in self.untrusted)

    @property
    def untrusted(self) -> list[int]:
        """The roles that rather do not think."""
        return [role for role in self._probabilities if self.beliefs.erring[role].sum() > DISTRUST]


@kernel
def first_in_order(pool: Pool, node: int, role: int, order: IntArray) -> int:
    """The edge of the move of a role that comes first where moves are sorted by their text."""
    best = int(pool.first_edges[node, role])
    for edge in range(best + 1, pool.first_edges[node, role + 1]):
        if order[pool.inputs[edge]] < order[pool.inputs[best]]:
            best = edge
    return best


def _likelihoods(pool: Pool, node: int, role: int, made: int, order: IntArray) -> FloatArray | None:
    """Likelihood of a move of a role by each supposition; None if it says nothing."""
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
    """Probability of each move for somebody who values them as the tree does."""
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


MOST_STATES = 4096  # of a level
HORIZON = 500  # moves of a playout
ROUNDS = 4  # of playouts: about a dozen of each of 128 states

UNDECIDED = 50.0


@dataclass(eq=False)
class _Level:
    """`N` states, of `W` words, after the same number of plies."""

    phase: int
    states: Words  # [N, W]
    values: FloatArray  # [N] for the role in question; NaN where it is not known yet
    parents: LongArray  # [N] of the level before
    movers: list[int] = field(default_factory=list)  # [N] the only one with a choice, or NONE
    joints: list[list[list[int]]] = field(default_factory=list)  # [N] inputs of each joint move


def chances(
    pool: Pool, expander: gdl.Expander, root: int, own: int, edges: list[int]
) -> dict[int, float]:
    """Estimate the goals that a role's moves bring against others who move at random, 0..100.

    A proven draw is as good as any other to a search that trusts in perfect play. Against somebody
    who errs one of them is better: that after which moves drawn at random by the others, and our
    own best answers to them, bring most. The tree of that is as deep as room allows; below it what
    is proven counts, and elsewhere playouts tell.

    Args:
        root: A node in which the role alone decides.
        own: The role's index.
        edges: The moves in question.
    """
    return _Forecast(pool, expander, own).of(root, edges)


class _Forecast:
    def __init__(self, pool: Pool, expander: gdl.Expander, own: int) -> None:
        self._pool = pool
        self._expander = expander
        self._own = own

    def of(self, root: int, edges: list[int]) -> dict[int, float]:
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
        """The children of states whose value is not known; None if there are none, or too many.

        All of them or none: what playouts tell is compared only with what playouts tell.
        """
        return self._made(level) if 0 < sum(map(len, level.joints)) <= MOST_STATES else None

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
            # Where several choose at once, nothing follows: it says nothing.
            above.values[number] = (
                UNDECIDED if not len(values) else (values.max() if is_own else values.mean())
            )


def _choices(expander: gdl.Expander, leaf: int) -> tuple[int, list[list[int]]]:
    """The one role with a choice in a child, and its joint moves; NONE and none if several have."""
    legal = expander.legal_of(leaf)
    deciders = [role for role, moves in enumerate(legal) if len(moves) > 1]
    if len(deciders) > 1 or not all(legal):
        return NONE, []
    mover = deciders[0] if deciders else 0
    others = [moves[0] for moves in legal]
    return mover, [[*others[:mover], move, *others[mover + 1 :]] for move in legal[mover]]
