"""The seam for evaluation functions, and the plainest of them.

Depth-limited search needs a value where it stops before the game does: the lecture *Game Playing*
calls it a static evaluation function.
"""

from __future__ import annotations

from typing import Protocol

import gdl
from ggp.search.core.choices import goals_in

EVEN = 50.0
"""The value that favours nobody."""


class Evaluation(Protocol):
    """Estimates the goals that the roles will have when the game is over."""

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """The estimated goal of every role, in role order, 0..100; `state` is not terminal."""
        ...


class GoalEvaluation:
    """A state is worth the goals that the rules give in it, as if the game ended there.

    Many rulesheets define goals in every state, some only in terminal ones: then all are 0, which
    says nothing and does no harm.
    """

    def __init__(self, machine: gdl.StateMachine) -> None:
        self._machine = machine

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """The goals in this state."""
        return goals_in(self._machine, state)


class EvenEvaluation:
    """Every state is worth the same: what a search finds, it found at the ends of the game."""

    def __init__(self, machine: gdl.StateMachine) -> None:
        self._values = (EVEN,) * len(machine.roles)

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """The same for every role and state."""
        return self._values
