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
from ggp.search.fast.tree.pool import BEST, GOALS, MADE, Pool, wide
from ggp.search.kernels.arrays import NONE, FloatArray

BIAS = 2  # see `gdl.Expander.prefer`
KEPT = 0.5  # of what was counted in the turns before, from turn to turn
SORTED_EACH = 8  # batches


class MoveHistory:
    """Counts what a search tells of moves, and lets playouts prefer those that did well.

    Attributes:
        counts: `[I, 2]` as in `Pool.history`.
    """

    def __init__(self, num_inputs: int) -> None:
        self.counts: FloatArray = np.zeros((num_inputs, 2))
        self._num_batches = 0

    def learn(self, player: gdl.Expander) -> None:
        """Take in what the last playouts of an expander tell, and now and then give it an order."""
        made, goals = self.counts[:, MADE], self.counts[:, GOALS]
        made += player.move_counts
        goals += player.move_goals
        self._num_batches += 1
        if self._num_batches % SORTED_EACH == 0:
            # What was never made comes first; what was seldom made is not far behind.
            player.prefer((goals + BEST) / (made + 1), BIAS)

    def begin_turn(self) -> None:
        """Let what was counted before weigh less than what comes now."""
        self.counts *= KEPT


@kernel
def note_path(pool: Pool, paths: Paths, row: int, length: int, num_playouts: int) -> None:
    """Count the return of a round for the moves on its path, if there is a history."""
    if len(pool.history) == 0:
        return
    for step in range(length):
        decider = wide(pool.deciders[wide(paths.nodes[row, step])])
        for role in range(len(paths.returns)):
            if decider in (role, NONE):
                number = wide(pool.inputs[wide(paths.edges[row, step, role])])
                pool.history[number, MADE] += num_playouts
                pool.history[number, GOALS] += num_playouts * paths.returns[role]
