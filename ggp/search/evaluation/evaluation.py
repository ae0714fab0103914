"""The type of evaluation functions, and evaluations that derive values from the rules' goals.

A depth-limited search needs a value for states where it stops before the game ends. The lecture
*Game Playing* calls this a static evaluation function.
"""

from __future__ import annotations

from collections.abc import Callable

import gdl
from ggp.search.core.choices import goals_in

EVEN = 50.0
"""The value that favours no role."""


Evaluation = Callable[[gdl.State], tuple[float, ...]]
"""A function that estimates every role's goal at the end of the game, in role order, 0..100. The
state must not be terminal."""


class GoalEvaluation:
    """The goals that the rules give in a state, as if the game ended there.

    Many rulesheets define goals in every state. If a rulesheet defines them only in terminal
    states, all values are 0, which neither helps nor harms a search.
    """

    def __init__(self, machine: gdl.StateMachine) -> None:
        self._machine = machine

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """Return the goals in the state."""
        return goals_in(self._machine, state)


class EvenEvaluation:
    """The same value for every state, so that a search is guided by terminal states only."""

    def __init__(self, machine: gdl.StateMachine) -> None:
        self._values = (EVEN,) * len(machine.roles)

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """Return 50 for every role, in every state."""
        return self._values


class ProximityEvaluation:
    """Closeness of the goals to being true, by fuzzy logic on the formulas of the goals.

    The value of a role is the mean of its possible goals, each weighted by the degree to which it
    is true, see `gdl.Game.degrees`. The idea is that of Schiffel and Thielscher, Fluxplayer, 2007.

    The value is `t * sum(v d(v)) / sum(d(v)) + (1 - t) * 50`. Here d(v) is the degree of the goal
    v, and t that of `terminal`. So the mean counts more when the end is nearer. If the game is
    not compiled, or the formulas of its goals are too large, the value is the goal in the state.
    """

    def __init__(self, game: gdl.Game) -> None:
        self._game = game
        self._degrees = game.degrees()

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """Return the value of every role, 0..100."""
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
