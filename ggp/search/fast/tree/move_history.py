"""The history of moves: how well each move did in all states. The search prefers good moves.

The outcome of a move in one state says something about the same move in other states, which have
too few visits themselves. Moves in playouts are counted, and so are moves on the path to the leaf,
once for each playout from it. Iterations of earlier turns count as well, but their weight falls
with each turn.

    history(m) = mean goal of its role in the playouts in which it was made, or that began after it

Counting the path to the leaf wins more games, because it shows how moves do against good answers.

See Bjornsson and Finnsson, CadiaPlayer: A Simulation-Based General Game Player, 2009.
"""

from __future__ import annotations

import numpy as np

import gdl
from gdl import kernel
from ggp.search.fast.tree.backup import Paths
from ggp.search.fast.tree.expansion import LeafBatch
from ggp.search.fast.tree.nodes import BEST, Pool, wide
from ggp.search.kernels.arrays import NONE, FloatArray, LongArray

BIAS = 2  # see `gdl.Expander.prefer`
PRIOR = 5  # as often each move counts as made before the search
KEPT = 0.5  # share of the counts that is kept from turn to turn
SORTED_EACH = 8  # batches between two updates of the preferences

# Columns of `MoveHistory.counts`
MADE, GOALS = range(2)


class MoveHistory:
    """Statistics on the moves of a search, by which playouts and the tree prefer good moves.

    Attributes:
        counts: `[I, 2]` how often each move was made, and the sum of its role's goals.
    """

    def __init__(self, num_inputs: int) -> None:
        """Create an empty history. If `num_inputs` is 0, nothing is counted or preferred."""
        self.counts: FloatArray = np.zeros((num_inputs, 2))
        self._num_batches = 0
        self._scores: FloatArray = np.full(num_inputs, BEST / 2)  # mean goals

    def learn(self, player: gdl.Expander) -> None:
        """Count the moves of an expander's last playouts, and sometimes update its preferences."""
        if len(self.counts) == 0:
            return
        made, goals = self.counts[:, MADE], self.counts[:, GOALS]
        made += player.move_counts
        goals += player.move_goals
        self._num_batches += 1
        if self._num_batches % SORTED_EACH == 0:
            # Rare moves count as average: as if they had been made more often, with both results.
            self._scores = (goals + PRIOR * BEST / 2) / (made + PRIOR)
            player.prefer(self._scores, BIAS)

    def note_paths(
        self, pool: Pool, paths: Paths, phase: int, totals: LongArray, num_playouts: int
    ) -> None:
        """Count the moves on the paths of the iterations whose leaves have just been played out.

        Args:
            phase: The phase of the leaves' parents.
            totals: `[L, R]` sums of the goals of `num_playouts` playouts from each leaf.
        """
        if len(self.counts):
            _note_paths(self.counts, pool, paths, phase, totals, num_playouts)

    def write_advantages(self, leaves: LeafBatch, num: int) -> None:
        """Write the advantages of the legal moves of `num` leaves.

        The advantage of a move is its mean goal in the history, minus the average of this mean over
        all legal moves of its role in the leaf.
        """
        if len(self.counts):
            _write_advantages(leaves, num, self._scores)

    def begin_turn(self) -> None:
        """Reduce the weight of what was counted in earlier turns."""
        self.counts *= KEPT


@kernel
def _write_advantages(leaves: LeafBatch, num: int, scores: FloatArray) -> None:
    for start in range(num * leaves.lower.shape[1]):
        first, last = wide(leaves.legal_starts[start]), wide(leaves.legal_starts[start + 1])
        total = 0.0
        for place in range(first, last):
            total += scores[wide(leaves.legal[place])]
        for place in range(first, last):
            leaves.advantages[place] = scores[wide(leaves.legal[place])] - total / (last - first)


@kernel
def _note_paths(
    counts: FloatArray, pool: Pool, paths: Paths, phase: int, totals: LongArray, num_playouts: int
) -> None:
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
