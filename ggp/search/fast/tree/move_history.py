"""The history of moves: how well each did wherever it was made, by which playouts prefer some.

What a move brings in one state says something about the same move in others, which are looked at
too seldom to know. All rounds of a search count, those of the turns before less from turn to turn:
the moves that were made in playouts, and those on the way to the leaf, for each of its playouts.

    history(m) = mean goal of its role in the playouts in which it was made, or that began after it

Without the way to the leaf, which tells what moves bring against good answers, less is won.

Bjornsson and Finnsson, CadiaPlayer: A Simulation-Based General Game Player, 2009.
"""

from __future__ import annotations

import numpy as np

import gdl
from gdl import kernel
from ggp.search.fast.tree.backup import Paths
from ggp.search.fast.tree.pool import BEST, Pool, wide
from ggp.search.kernels.arrays import NONE, FloatArray, LongArray

BIAS = 2  # see `gdl.Expander.prefer`
KEPT = 0.5  # of what was counted in the turns before, from turn to turn
SORTED_EACH = 8  # batches

# Entries of `MoveHistory.counts`.
MADE, GOALS = range(2)


class MoveHistory:
    """Counts what a search tells of moves, and lets playouts prefer those that did well.

    Attributes:
        counts: `[I, 2]` how often each was made, and the sum of its role's goals of those times.
    """

    def __init__(self, num_inputs: int) -> None:
        """A history of so many inputs; of none, nothing is counted and nothing preferred."""
        self.counts: FloatArray = np.zeros((num_inputs, 2))
        self._num_batches = 0

    def learn(self, player: gdl.Expander) -> None:
        """Take in what the last playouts of an expander tell, and now and then give it an order."""
        if len(self.counts) == 0:
            return
        made, goals = self.counts[:, MADE], self.counts[:, GOALS]
        made += player.move_counts
        goals += player.move_goals
        self._num_batches += 1
        if self._num_batches % SORTED_EACH == 0:
            # What was never made comes first; what was seldom made is not far behind.
            player.prefer((goals + BEST) / (made + 1), BIAS)

    def note_paths(
        self, pool: Pool, paths: Paths, phase: int, totals: LongArray, num_playouts: int
    ) -> None:
        """Take in the rounds that wait in a phase.

        Args:
            totals: `[L, R]` sums of the goals of so many playouts from each leaf.
        """
        if len(self.counts):
            _note_paths(self.counts, pool, paths, phase, totals, num_playouts)

    def begin_turn(self) -> None:
        """Let what was counted before weigh less than what comes now."""
        self.counts *= KEPT


@kernel
def _note_paths(
    counts: FloatArray, pool: Pool, paths: Paths, phase: int, totals: LongArray, num_playouts: int
) -> None:
    """Count the goals of each round for the moves on its path."""
    limit = len(paths.lengths) // len(paths.nums)
    for leaf in range(wide(paths.nums[phase])):
        row = phase * limit + leaf
        _note_path(counts, pool, paths, row, totals[leaf], num_playouts)


@kernel
def _note_path(
    counts: FloatArray, pool: Pool, paths: Paths, row: int, goals: LongArray, num_playouts: int
) -> None:
    for step in range(wide(paths.lengths[row])):
        decider = wide(pool.deciders[wide(paths.nodes[row, step])])
        for role in range(len(goals)):
            if decider in (role, NONE):
                number = wide(pool.inputs[wide(paths.edges[row, step, role])])
                counts[number, MADE] += num_playouts
                counts[number, GOALS] += goals[role]
