"""Which games one step of a vector environment has ended, and what they brought."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.environments.acting_kernels import count_stuck

Array = NDArray[Any]
BoolArray = NDArray[np.bool_]


class Ends:
    """What one step has ended, in `N` games with `R` roles.

    Attributes:
        rewards: `[N, R]` of the games that have ended, else 0.
        terminated: `[N]` where the game is over.
        truncated: `[N]` where a role has no move.
        finals: With `same_step`: rows, and the facts of their last states.
    """

    def __init__(self, batch: gdl.StateBatch, worth: float) -> None:
        self._batch, self._worth = batch, worth
        self.rewards = np.zeros(batch.goals.shape)
        self.terminated = np.zeros(batch.num, np.bool_)
        self.truncated = np.zeros(batch.num, np.bool_)
        self.finals: list[tuple[Array, Array]] = []

    def add_ended(self) -> None:
        """Add the games that are over after a step of the batch."""
        batch = self._batch
        over = batch.is_terminal & ~self.terminated & ~self.truncated
        if over.any():
            self.rewards[over] = batch.goals[over] * self._worth
            self.terminated |= over
            self._keep(over)
        if count_stuck(batch.num_legal, batch.is_terminal):
            stuck = (batch.num_legal == 0).any(axis=1) & ~batch.is_terminal
            batch.end(stuck)
            self.truncated |= stuck
            self._keep(stuck)

    def end(self, which: BoolArray) -> None:
        """End games as lost."""
        if which.any():
            self._batch.end(which)
            self.terminated |= which
            self._keep(which)

    def _keep(self, which: BoolArray) -> None:
        rows = np.flatnonzero(which)
        if len(self._batch.finals) and len(rows):
            self.finals.append((rows, self._batch.finals[rows]))
