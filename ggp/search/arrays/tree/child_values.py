"""Child values: what each move of a new node is worth, before any round goes through it.

A node is added with a value of each of its children, by leaf values of all of them at once; so
rounds need not look at every move once, and the node is worth what its best child is.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.search.arrays.tree.growing import Found
from ggp.search.arrays.tree.leaf_values import LeafValues

PARTS_OF_A_POINT = 1000  # to which values are rounded


class ChildValues:
    """Values the moves of a batch of leaves."""

    def __init__(self, game: gdl.Game, found: Found, judge: LeafValues, seed: int) -> None:
        """An expander of its own.

        Args:
            game: It is compiled.
            found: Its `priors` and `totals` are written.
            judge: What the children are worth.
            seed: Of the expander, which plays nothing.
        """
        simulator = game.simulator
        assert simulator is not None
        self._expander = simulator.expander(seed)
        self._found = found
        self._judge = judge

    @property
    def share(self) -> float:
        """The part of a leaf's value that is the judge's."""
        return self._judge.share

    def look(self, num: int, phase: int, foresight: gdl.Expander | None) -> int:
        """Write what the moves of so many leaves are worth, and the leaves; the unit of totals.

        Args:
            num: How many.
            phase: Theirs.
            foresight: Its expander, if there is one: it sees which children are decided.
        """
        found, expander = self._found, foresight or self._expander
        num_roles = expander.num_roles
        starts = found.legal_starts[: num * num_roles + 1].astype(np.int64)
        counts = np.diff(starts).reshape(num, num_roles)
        firsts = starts[:-1].reshape(num, num_roles)
        is_over = found.is_terminal[:num] != 0
        is_known = is_over | (found.lower[:num] == found.upper[:num]).all(1)
        has_turn = ((counts > 1).sum(1) <= 1) & (counts.min(1) > 0)
        leaves = np.arange(num)
        movers = counts.argmax(1)
        sizes = np.where(has_turn & ~is_known, counts[leaves, movers], 0)
        parents = np.repeat(leaves, sizes)
        worth = self._judge.values(found.states[:num], phase)
        if len(parents):
            within = np.arange(len(parents)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
            places = firsts[leaves, movers][parents] + within
            moves = found.legal[firsts[parents]]
            moves[np.arange(len(parents)), movers[parents]] = found.legal[places]
            values = self._children(expander, parents, moves, phase)
            own = values[np.arange(len(parents)), movers[parents]]
            found.priors[places] = own
            segments = np.flatnonzero(sizes)
            begins = (np.cumsum(sizes) - sizes)[segments]
            best = np.flatnonzero(own == np.maximum.reduceat(own, begins).repeat(sizes[segments]))
            worth[parents[best]] = values[best]
        known = np.where(is_over[:, None], found.goals[:num], found.lower[:num])
        worth = np.where(is_known[:, None], known, worth)
        found.totals[:num] = np.rint(PARTS_OF_A_POINT * worth)
        return PARTS_OF_A_POINT

    def _children(
        self,
        expander: gdl.Expander,
        parents: NDArray[np.int64],
        moves: NDArray[np.int32],
        phase: int,
    ) -> NDArray[np.float64]:
        """The values of the children of moves."""
        most = expander.num_leaves_max
        following = (phase + 1) % expander.num_phases
        values = np.empty((len(parents), expander.num_roles))
        for first in range(0, len(parents), most):
            last = min(first + most, len(parents))
            num = last - first
            expander.parents[:num] = self._found.states[parents[first:last]]
            expander.moves[:num] = moves[first:last]
            expander.expand(num, phase)
            said = self._judge.values(expander.children[:num], following)
            is_over = expander.is_terminal[:num, None] != 0
            values[first:last] = np.where(is_over, expander.goals[:num], said)
        return values
