"""The games that one step of a vector environment has ended, and their rewards."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.environments.acting import count_stuck

Array = NDArray[Any]
BoolArray = NDArray[np.bool_]
Facts = tuple[Array, Array]
"""Rows, and the facts of the last states of their games."""


class Ends:
    """The games that one step has ended, of `N` with `R` roles.

    A game that is over before the caller could choose is *late*: the step after reports it.

    Attributes:
        rewards: `[N, R]` of the games that have ended, else 0.
        terminated: `[N]` where the game is over.
        truncated: `[N]` where a role has no move.
        finals: With `same_step`: the last states.
        late: `[N]` where the next step has an end to report.
        late_finals: With `same_step`: the last states of those.
    """

    def __init__(self, batch: gdl.StateBatch, reward_scale: float, fresh: BoolArray) -> None:
        """Nothing has ended yet."""
        self._batch, self._reward_scale, self._fresh = batch, reward_scale, fresh.copy()
        self._begin_at_once = batch.autoreset == "same_step"
        self.rewards = np.zeros(batch.goals.shape)
        self.terminated = np.zeros(batch.num, np.bool_)
        self.truncated = np.zeros(batch.num, np.bool_)
        self.finals: list[Facts] = []
        self.late = np.zeros(batch.num, np.bool_)
        self.late_finals: list[Facts] = []
        self._late_rewards = np.zeros(batch.goals.shape)
        self._late_truncated = np.zeros(batch.num, np.bool_)

    @property
    def over(self) -> BoolArray:
        """`[N]` the games in which the next action does not count."""
        return self.late if self._begin_at_once else self._batch.is_terminal

    def report_late(self, before: Ends) -> None:
        """Report the late ends of the step before."""
        late = before.late
        if late.any():
            self.rewards[late] = before._late_rewards[late]
            self.truncated |= late & before._late_truncated
            self.terminated |= late & ~before._late_truncated
            self.finals += before.late_finals
            if self._begin_at_once:
                self._fresh |= late

    def keep_late(self, before: Ends, which: BoolArray) -> None:
        """Leave the late ends of the step before to the next one, of some games."""
        kept = before.late & which
        self.late |= kept
        self._late_rewards[kept] = before._late_rewards[kept]
        self._late_truncated |= before._late_truncated & kept
        self.late_finals += [
            (rows[kept[rows]], facts[kept[rows]]) for rows, facts in before.late_finals
        ]

    def add_ended(self) -> None:
        """Add the games that are over after a step of the batch, or have a role without a move."""
        batch = self._batch
        known = self.late if self._begin_at_once else self.terminated | self.truncated | self.late
        over = batch.is_terminal & ~known
        if over.any():
            self._add(over, False)
        if count_stuck(batch.num_legal, batch.is_terminal):
            stuck = (batch.num_legal == 0).any(axis=1) & ~batch.is_terminal
            batch.end(stuck)
            self._add(stuck, True)

    def end(self, which: BoolArray) -> None:
        """End games as lost."""
        if which.any():
            self._batch.end(which)
            self._add(which, False)

    def _add(self, over: BoolArray, is_truncated: bool) -> None:
        now, late = over & ~self._fresh, over & self._fresh
        self.rewards[now] = self._batch.goals[now] * self._reward_scale
        self._late_rewards[late] = self._batch.goals[late] * self._reward_scale
        if is_truncated:
            self.truncated |= now
            self._late_truncated |= late
        else:
            self.terminated |= now
        self.late |= late
        if self._begin_at_once:
            self._fresh |= now
            for which, kept in ((now, self.finals), (late, self.late_finals)):
                rows = np.flatnonzero(which)
                if len(rows):
                    kept.append((rows, self._batch.finals[rows]))
