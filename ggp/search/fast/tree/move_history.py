"""The history of moves: how well each did wherever in a round it was made, and what follows of it.

What a move brings in one state says something about the same move in others, which are looked at
too seldom to know. All rounds of a search count: the moves on their paths, and those that were made
in playouts, which tell far more, since there are hundreds of moves in them for each one on a path.
A move is worth

    history(m) = mean goal of its role in the rounds and playouts in which it was made.

Progressive history: Nijssen and Winands, Enhancements for Multi-Player Monte-Carlo Tree Search,
2011. AMAF: Gelly and Silver, Monte-Carlo Tree Search and Rapid Action Value Estimation in Computer
Go, 2011. Moves that playouts prefer: Bjornsson and Finnsson, CadiaPlayer: A Simulation-Based General
Game Player, 2009.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

import gdl
from gdl import kernel
from ggp.search.fast.lanes import HISTORY, TUNED, Variant
from ggp.search.fast.tree.backup import Paths
from ggp.search.fast.tree.pool import BEST, Pool, wide
from ggp.search.kernels.arrays import NONE, FloatArray

KEPT = 0.5  # of what was counted in the turns before, from turn to turn
SORTED_EACH = 8  # batches, where playouts prefer moves

# Entries of `Pool.history`.
MADE, GOALS = range(2)

FIRST = 10 * BEST  # score of a move that comes before all that are known


class MoveHistory:
    """Counts what the playouts of a search tell, where its variant asks for it.

    Attributes:
        counts: `[I, 2]` how often each input was made, and the sum of the goals of those times.
    """

    def __init__(self, num_inputs: int, variant: Variant) -> None:
        self.counts: FloatArray = np.zeros((num_inputs, 2))
        self._bias = variant.bias
        self._num_batches = 0

    def learn(self, player: gdl.Expander) -> None:
        """Take in what the last playouts of an expander tell, and let its next ones prefer."""
        self.counts[:, MADE] += player.move_counts
        self.counts[:, GOALS] += player.move_goals
        self._num_batches += 1
        if self._bias and self._num_batches % SORTED_EACH == 0:
            player.prefer(self._means(), self._bias)

    def begin_turn(self) -> None:
        """Let what was counted before weigh less than what comes now."""
        self.counts *= KEPT

    def _means(self) -> NDArray[np.float64]:
        """Of moves that were seldom made, the mean is close to that of all."""
        made, goals = self.counts[:, MADE], self.counts[:, GOALS]
        return (goals + BEST / 2) / (made + 1)


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
def promise(pool: Pool, edge: int, value: float, bonus: float, rule: int, weight: float) -> float:
    """What a move promises by another rule than UCB1.

    Args:
        value: Its mean.
        bonus: What UCB1 adds to the mean of a move made once.
    """
    count = int(pool.counts[edge])
    extra = bonus / math.sqrt(max(count, 1))
    if rule == TUNED:
        if count == 0:
            return FIRST
        share = value / BEST
        variance = share * (1 - share) + weight * extra / BEST
        return value + extra * 2 * math.sqrt(min(0.25, variance))
    number = wide(pool.inputs[edge])
    made = float(pool.history[number, MADE])
    past = float(pool.history[number, GOALS]) / made if made > 0 else BEST
    if count == 0:
        return past + bonus
    if rule == HISTORY:
        return value + extra + weight * past / (count * (1 - value / BEST) + 1)
    share = math.sqrt(weight / (3 * count + weight))
    return (1 - share) * value + share * past + extra
