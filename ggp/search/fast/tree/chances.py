"""Chances: what moves of equal proven value bring if the others err.

A proven draw is as good as any other to a search that trusts in perfect play. Against somebody who
errs one of them is better: so among such moves the one is made after which moves drawn at random
by the others, and our own best answers to them, bring most. The tree of that is as deep as room
allows; below it what is proven counts, and elsewhere playouts tell.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.search.fast.tree.hashing import find_node
from ggp.search.fast.tree.pool import BEST, Pool
from ggp.search.kernels.arrays import NONE, FloatArray

MOST_STATES = 4096  # of a level
HORIZON = 500  # moves of a playout
ROUNDS = 4  # of playouts: about a dozen of each of 128 states

UNDECIDED = 50.0


Numbers = NDArray[np.int64]

_NOBODY: Numbers = np.zeros(1, np.int64)


@dataclass(eq=False)
class _Level:
    """States after the same number of plies. `N` states, `W` words."""

    phase: int
    states: NDArray[np.uint64]  # [N, W]
    values: FloatArray  # [N] for the role in question; NaN where it is not known yet
    parents: Numbers  # [N] of the level before
    movers: list[int] = field(default_factory=list)  # [N] the only one with a choice, or NONE
    joints: list[list[list[int]]] = field(default_factory=list)  # [N] inputs of each joint move


def chances(
    pool: Pool, expander: gdl.Expander, root: int, own: int, edges: list[int]
) -> dict[int, float]:
    """Estimate the goals that a role's moves bring against others who move at random, 0..100.

    Args:
        pool: The tree.
        expander: Makes moves and plays.
        root: A node in which the role alone decides.
        own: The role's index.
        edges: The moves in question.
    """
    return _Forecast(pool, expander, own).of(root, edges)


class _Forecast:
    """The tree of what may follow, made for one question."""

    def __init__(self, pool: Pool, expander: gdl.Expander, own: int) -> None:
        self._pool = pool
        self._expander = expander
        self._own = own

    def of(self, root: int, edges: list[int]) -> dict[int, float]:
        """The goals that the moves of some edges of a node bring."""
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
        here = _Level(int(pool.phases[root]), pool.states[root][None], np.full(1, np.nan), _NOBODY)
        here.joints = [joints]
        return self._made(here)

    def _next(self, level: _Level) -> _Level | None:
        """The children of states whose value is not known; None if there are none, or too many.

        All of them or none: what playouts tell is compared only with what playouts tell.
        """
        num = sum(map(len, level.joints))
        return self._made(level) if 0 < num <= MOST_STATES else None

    def _made(self, above: _Level) -> _Level:
        """The states that the joint moves of a level lead to."""
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
        """Note what is known of a child of the last batch, or what can be done there."""
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
        """Let playouts tell what is not known of the last level."""
        expander, own = self._expander, self._own
        unknown = np.flatnonzero(np.isnan(level.values))
        for first in range(0, len(unknown), expander.num_leaves_max):
            part = unknown[first : first + expander.num_leaves_max]
            expander.children[: len(part)] = level.states[part]
            expander.play(len(part), level.phase, ROUNDS, HORIZON)
            level.values[part] = expander.totals[: len(part), own] / expander.num_playouts_per_leaf

    def _back_up(self, above: _Level, below: _Level) -> None:
        """Value the unknown states of a level: by our best answer, or by the mean of theirs."""
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
