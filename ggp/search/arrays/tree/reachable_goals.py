"""Bounds of new nodes: which goals can still be reached, as far as the rules alone tell.

A node begins with the bounds that `gdl.ReachableGoals` gives its state: a line that is broken is no
line any more, whatever is played. Games differ, and so do the stages of one: where little is ruled
out of some leaves, many that come after them are not looked at.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.search.arrays.tree.growing import Found
from ggp.search.arrays.tree.pool import BEST, WORST

Bounds = NDArray[np.float32]

TRIED = 512  # leaves
FEWEST = 1 / 64  # of the leaves tried must be narrowed
REST = 16 * TRIED  # leaves not looked at, if they are fewer


class LeafReachableGoals:
    """Writes the bounds of a batch of leaves.

    Attributes:
        has_solved: Whether the value of an open leaf was found, in this turn or before.
    """

    def __init__(self, game: gdl.Game, found: Found) -> None:
        """Bounds for a game; there are none if it is too large for that.

        Args:
            game: The game.
            found: Its `lower` and `upper` are written.
        """
        limits = game.reachable_goals
        self._limits = None if limits is None else limits.twin()
        self._found = found
        self.has_solved = False
        self.begin_turn()

    def begin_turn(self) -> None:
        """Forget that it told of few leaves of the turn before."""
        self._num_tried = self._num_narrowed = self._num_left_off = 0

    def look(self, num: int) -> None:
        """Write the bounds of so many leaves, which say nothing before."""
        if self._limits is None:
            return
        if self._num_left_off > 0:
            self._num_left_off -= num
            return
        found = self._found
        self._limits.limit(found.states, num, found.lower, found.upper)
        is_open = found.is_terminal[:num] == 0
        narrowed = (found.lower[:num] > WORST) | (found.upper[:num] < BEST)
        is_solved = (found.lower[:num] == found.upper[:num]).all(axis=1)
        self.has_solved |= bool((is_solved & is_open).any())
        self._num_narrowed += int((narrowed.any(axis=1) & is_open).sum())
        self._num_tried += num
        if self._num_tried >= TRIED:
            is_worth_it = self._num_narrowed >= FEWEST * self._num_tried
            self.begin_turn()
            if not is_worth_it:
                self._num_left_off = REST


def no_limits(num: int, num_roles: int) -> tuple[Bounds, Bounds]:
    """Bounds of leaves that say nothing: `[L, R]` lower, `[L, R]` upper."""
    shape = (num, num_roles)
    return np.full(shape, WORST, np.float32), np.full(shape, BEST, np.float32)


def found_by(expander: gdl.Expander) -> Found:
    """The arrays in which an expander tells what it finds, with bounds that say nothing yet."""
    return Found(
        expander.children,
        expander.is_terminal,
        expander.goals,
        expander.legal_starts,
        expander.legal,
        expander.totals,
        *no_limits(expander.num_leaves_max, expander.num_roles),
        np.zeros((expander.num_leaves_max, expander.num_roles), np.int16),
        np.full(len(expander.legal), 50.0, np.float32),
    )
