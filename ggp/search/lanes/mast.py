"""Playouts that prefer moves which did well wherever they were made: move-average sampling.

Each so many batches the playouts are recorded, and the mean goal of each input tells its level: the
best inputs of a role, by how often they are made, are in the first one. With some probability a
role chooses among its legal moves of the best level that has any, else among all. Moves made in the
tree do not count: they are few against those of the playouts below them.

Finnsson and Bjornsson, Simulation-Based Approach to General Game Playing, 2008; the greedy share is
that of Sironi and Winands, Comparison of Rapid Action Value Estimation Variants for General Game
Playing, 2016. Preferences depend on the move alone, not on those before it (N-grams): lanes choose
from one table, and a table for each move before would be as many tables as there are inputs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import gdl

BOUNDS = (0.1, 0.3, 0.6)  # of the playouts' moves, so many are in the first levels
BATCHES = 16  # recorded between two looks at the levels
FADING = 0.2  # of what was noted before a turn, so much counts after it


class Mast:
    """Tells an expander which moves to prefer.

    Attributes:
        levels: `[I]` of each input, 0 the best.
    """

    def __init__(self, expander: gdl.Expander, share: float) -> None:
        """Nothing is preferred yet.

        Args:
            expander: Plays.
            share: How likely a role is to choose among the best.
        """
        self._expander = expander
        self._shares = (share, 0.0, 0.0, 1.0 - share)
        self._roles = np.array([role for role, _ in expander.inputs])
        self._num_noted = 0
        self.levels = np.zeros(expander.num_inputs, np.uint8)

    def note(self) -> None:
        """Learn from the playouts that were recorded last."""
        self._expander.tally()
        self._num_noted += 1
        # At first often, as the first impression may be wrong.
        if self._num_noted % BATCHES == 0 or self._num_noted in (1, 4):
            self.levels = levels_of(
                self._expander.tally_counts, self._expander.tally_goals, self._roles
            )
            self._expander.prefer(self.levels, self._shares)

    def fade(self) -> None:
        """Let what was noted count less: a turn has passed."""
        for tally in self._expander.tally_counts, self._expander.tally_goals:
            tally[:] = (FADING * tally).astype(np.int64)


def levels_of(
    counts: NDArray[np.int64], goals: NDArray[np.int64], roles: NDArray[np.int64]
) -> NDArray[np.uint8]:
    """`[I]` the level of each input by its mean goal among those of its role.

    Inputs that were never made are in the last level.

    Args:
        counts: `[I]` how often each was made.
        goals: `[I]` sums of goals.
        roles: `[I]` whose each is.
    """
    levels = np.full(len(counts), len(BOUNDS), np.uint8)
    for role in np.unique(roles):
        made = np.flatnonzero((roles == role) & (counts > 0))
        means = goals[made] / counts[made]
        ranked = made[np.argsort(-means, kind="stable")]
        num_before = np.cumsum(counts[ranked]) - counts[ranked]
        reached = num_before / max(1, int(counts[ranked].sum()))
        levels[ranked] = np.searchsorted(BOUNDS, reached, side="right")
    return levels
