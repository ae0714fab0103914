"""The seam for evaluation functions, and those that read the value off the goals of the rules.

Depth-limited search needs a value where it stops before the game does: the lecture *Game Playing*
calls it a static evaluation function.
"""

from __future__ import annotations

from collections.abc import Callable

import gdl
from ggp.search.core.choices import goals_in

EVEN = 50.0
"""The value that favours nobody."""


Evaluation = Callable[[gdl.State], tuple[float, ...]]
"""Estimates the goal that every role will have when the game is over, in role order, 0..100; the
state is not terminal."""


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


class ProximityEvaluation:
    """The nearness of the goals by fuzzy logic: goals are formulas, and these can be nearly true.

    A role is worth the mean of its goals, each weighted by the degree to which it is true, see
    `gdl.Game.degrees`; the idea is that of Schiffel and Thielscher, Fluxplayer, 2007.

    `t * sum(v d(v)) / sum(d(v)) + (1 - t) * 50`, with d(v) the degree of the goal v and t that of
    terminal: an outlook counts the more, the nearer the end is. Where the game is not compiled, or
    its goals are too large, the goals themselves take the place of the degrees.
    """

    def __init__(self, game: gdl.Game) -> None:
        self._game = game
        self._degrees = game.degrees()

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """The value of every role, 0..100."""
        if self._degrees is None:
            return goals_in(self._game, state)
        num_roles = len(self._game.roles)
        totals, weights = [0.0] * num_roles, [0.0] * num_roles
        degrees, end = self._degrees.of(state)
        for (role, value), degree in zip(self._degrees.goals, degrees, strict=True):
            totals[role] += value * degree
            weights[role] += degree
        return tuple(
            end * total / weight + (1 - end) * EVEN if weight else EVEN
            for total, weight in zip(totals, weights, strict=True)
        )
