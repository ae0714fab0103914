"""Depth charges: one random game to the end, as fast as the machine can play it."""

from __future__ import annotations

import random

import gdl
from ggp.clock import Deadline
from ggp.search.playout import UNDECIDED, playout


class DepthCharge:
    """Plays at random to the end of the game; `is_fast` says whether the machine does it alone."""

    def __init__(self, game: gdl.Game, role: gdl.Role, rng: random.Random, horizon: int) -> None:
        """Depth charges for a role; one of more than `horizon` plies counts as undecided, 50."""
        self._machine = game.machine
        self._own = game.roles.index(role)
        self._rng = rng
        self._horizon = horizon
        self._playing = game.scalar

    @property
    def is_fast(self) -> bool:
        """Whether the compiled machine plays."""
        return self._playing is not None

    def __call__(self, state: gdl.State, deadline: Deadline) -> float | None:
        """The goal of the role after a random game; None if the time is over before its end."""
        if self._playing is None:
            played = playout(self._machine, state, self._rng, deadline, self._horizon)
            return None if played is None else played.goals[self._own]
        if deadline.is_over():
            return None
        # One game takes microseconds there, so the deadline is not looked at within it.
        seed = self._rng.getrandbits(62)
        found = self._playing.random_playouts(1, seed=seed, state=state, depth=self._horizon)
        return UNDECIDED if found.cut else float(found.goal_totals[self._own])
