"""The history of moves: how well each did in playouts, by which later playouts prefer some.

What a move brings in one state says something about the same move in others. All playouts of a
search count, of every leaf, and those of the turns before count less from turn to turn:

    history(m) = mean goal of its role in the playouts in which it was made

Bjornsson and Finnsson, CadiaPlayer: A Simulation-Based General Game Player, 2009.
"""

from __future__ import annotations

import numpy as np

import gdl
from ggp.search.core.result import BEST
from ggp.search.kernels.arrays import FloatArray

BIAS = 2  # see `gdl.Expander.prefer`
KEPT = 0.5  # of what was counted in the turns before, from turn to turn
SORTED_EACH = 8  # batches


class MoveHistory:
    """Counts what playouts tell of moves, and lets the next ones prefer those that did well."""

    def __init__(self, num_inputs: int) -> None:
        self._made: FloatArray = np.zeros(num_inputs)
        self._goals: FloatArray = np.zeros(num_inputs)
        self._num_batches = 0

    def learn(self, player: gdl.Expander) -> None:
        """Take in what the last playouts of an expander tell, and now and then give it an order."""
        self._made += player.move_counts
        self._goals += player.move_goals
        self._num_batches += 1
        if self._num_batches % SORTED_EACH == 0:
            # What was never made comes first; what was seldom made is not far behind.
            player.prefer((self._goals + BEST) / (self._made + 1), BIAS)

    def begin_turn(self) -> None:
        """Let what was counted before weigh less than what comes now."""
        self._made *= KEPT
        self._goals *= KEPT
