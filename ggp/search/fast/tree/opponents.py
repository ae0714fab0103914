"""Opponents: whether the other roles think, by the moves that they have made.

A tree takes it that everybody plays as well as it does. Between two players that costs little. With
more of them it is wrong in both ways against somebody who does not think: it gives up what a good
player would take, and counts on the third player to stop the second. So each move of another role
is evidence for one of three suppositions: the role prefers what the tree thinks good for it, it
draws its moves by lot, or it makes the first legal one. The tree lets a role do each as often as it
is probable.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl import kernel
from ggp.search.core.choices import Joint
from ggp.search.fast.tree.pool import OPEN, UNTRUSTED, Pool
from ggp.search.kernels.arrays import NONE, IntArray

# Columns of `Beliefs.erring`.
BY_LOT, BY_ORDER = range(2)

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

    erring: NDArray[np.float64]  # [R, 2] probability of each way not to think
    order: IntArray  # [I] the place of each move where moves are sorted by their text


class Opponents:
    """Whether the other roles think.

    Attributes:
        beliefs: What is thought of each role: nothing bad of our own and of `random`.
    """

    def __init__(
        self, inputs: Sequence[tuple[int, object]], num_roles: int, own: int, chance: int
    ) -> None:
        """Nothing is known of anybody.

        Args:
            inputs: Role index and move of each input.
            num_roles: R.
            own: Index of the role that we play.
            chance: Index of the `random` role, or NONE.
        """
        others = [role for role in range(num_roles) if role not in (own, chance)]
        self.beliefs = Beliefs(np.zeros((num_roles, 2)), np.zeros(len(inputs), np.int32))
        self._probabilities: dict[int, NDArray[np.float64]] = {}
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


def _likelihoods(
    pool: Pool, node: int, role: int, made: int, order: IntArray
) -> NDArray[np.float64] | None:
    """Likelihood of a move of a role by each supposition; None if it says nothing."""
    if pool.kinds[node] != OPEN:
        return None
    first, last = int(pool.first_edges[node, role]), int(pool.first_edges[node, role + 1])
    chosen = np.flatnonzero(pool.inputs[first:last] == made)
    if last - first < 2 or not len(chosen) or pool.visits[node] < VISITS_PER_MOVE * (last - first):
        return None
    place, by_lot = int(chosen[0]), 1 / (last - first)
    is_first = place == order[pool.inputs[first:last]].argmin()
    fits = np.array([_preferences(pool, role, first, last)[place], by_lot, float(is_first)])
    found: NDArray[np.float64] = (1 - SURPRISES) * fits + SURPRISES * by_lot
    return found


def _preferences(pool: Pool, role: int, first: int, last: int) -> NDArray[np.float64]:
    """Probability of each move for somebody who values them as the tree does."""
    values = np.where(pool.done[first:last] > 0, pool.values[first:last], 0.0).astype(np.float64)
    for number, child in enumerate(pool.children[first:last].tolist()):
        if child != NONE and pool.lower[child, role] == pool.upper[child, role]:
            values[number] = pool.lower[child, role]
    weights = np.exp((values - values.max()) / TOLERANCE)
    shares: NDArray[np.float64] = weights / weights.sum()
    return shares
