"""Goal proximity: how near the rules' goals are, by fuzzy logic.

Genesereth's lecture *Statistical Search* asks how to evaluate states that are not terminal; the
rules have an answer of their own, since goals are formulas, and formulas can be nearly true. See
`gdl.Game.degrees` for the degrees, and Schiffel and Thielscher, Fluxplayer, 2007, for the idea.
"""

from __future__ import annotations

import gdl
from ggp.search.core.choices import goals_in
from ggp.search.evaluation.evaluation import EVEN


class ProximityEvaluation:
    """A role is worth the mean of its goals, each weighted by the degree to which it is true.

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
