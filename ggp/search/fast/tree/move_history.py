"""The history of moves: how well each did wherever in a round it was made, and what follows of it.

What a move brings in one state says something about the same move in others, which are looked at
too seldom to know. All rounds of a search count: the moves on their paths, and those that were made
in playouts, which tell far more, since there are hundreds of moves in them for each one on a path.

    history(m) = mean goal of its role in the rounds and playouts in which it was made
    score(m)   = mean(m) + bonus of UCB1 + W history(m) / (n(m) (1 - mean(m)) + 1)

The score of a move that was never made is its history and the bonus of one made once, so what did
badly elsewhere is not tried for long. Or the tree stays as it is, and playouts prefer moves with a
good history.

Progressive history: Nijssen and Winands, Enhancements for Multi-Player Monte-Carlo Tree Search,
2011. Preferred moves: Bjornsson and Finnsson, CadiaPlayer: A Simulation-Based General Game Player,
2009.
"""

from __future__ import annotations

import math

import numpy as np

import gdl
from gdl import kernel
from ggp.search.fast.lanes import Variant
from ggp.search.fast.tree.backup import Paths
from ggp.search.fast.tree.pool import BEST, Pool, wide
from ggp.search.fast.tree.selection_parameters import NUM_KNOWN, SelectionParameters
from ggp.search.kernels.arrays import NONE, FloatArray

KEPT = 0.5  # of what was counted in the turns before, from turn to turn
SORTED_EACH = 8  # batches, where playouts prefer moves

# Entries of `Pool.history`.
MADE, GOALS = range(2)


class MoveHistory:
    """Counts what the playouts of a search tell, where its variant asks for it.

    Attributes:
        counts: `[I, 2]` how often each input was made, and the sum of the goals of those times.
        means: `[I]` the goal to be expected after each.
    """

    def __init__(self, num_inputs: int, variant: Variant) -> None:
        self.counts: FloatArray = np.zeros((num_inputs, 2))
        self.means: FloatArray = np.full(num_inputs, BEST)
        self._bias = variant.bias
        self._num_batches = 0

    def learn(self, player: gdl.Expander) -> None:
        """Take in what the last playouts of an expander tell, and let its next ones prefer."""
        self.counts[:, MADE] += player.move_counts
        self.counts[:, GOALS] += player.move_goals
        made, goals = self.counts[:, MADE], self.counts[:, GOALS]
        # What was never made comes first; of what was seldom made, the mean does not say much.
        self.means[:] = (goals + BEST) / (made + 1)
        self._num_batches += 1
        if self._bias and self._num_batches % SORTED_EACH == 0:
            player.prefer(self.means, self._bias)

    def begin_turn(self) -> None:
        """Let what was counted before weigh less than what comes now."""
        self.counts *= KEPT


def with_history(pool: Pool, variant: Variant, num_inputs: int) -> tuple[Pool, MoveHistory | None]:
    """A pool and the history that its kernels find in it, if a variant has one."""
    if not variant.has_history:
        return pool, None
    history = MoveHistory(num_inputs, variant)
    return pool._replace(history=history.counts, means=history.means), history


@kernel
def note_path(pool: Pool, paths: Paths, row: int, length: int, num_playouts: int) -> None:
    """Count the return of a round for the moves on its path, if there is a history."""
    if len(pool.history) == 1:
        return
    for step in range(length):
        decider = wide(pool.deciders[wide(paths.nodes[row, step])])
        for role in range(len(paths.returns)):
            if decider in (role, NONE):
                number = wide(pool.inputs[wide(paths.edges[row, step, role])])
                pool.history[number, MADE] += num_playouts
                pool.history[number, GOALS] += num_playouts * paths.returns[role]


@kernel
def promise(
    pool: Pool, edge: int, value: float, bonus: float, parameters: SelectionParameters
) -> float:
    """What a move promises by UCB1 with progressive history; one never made, what its past tells.

    Args:
        value: Its mean.
        bonus: What UCB1 adds to the mean of a move made once.
    """
    count, past = int(pool.counts[edge]), float(pool.means[pool.inputs[edge]])
    if count == 0:
        return past + bonus
    root = parameters.roots[count] if count < NUM_KNOWN else 1 / math.sqrt(count)
    return value + bonus * root + parameters.history * past / (count * (1 - value / BEST) + 1)
