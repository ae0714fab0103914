"""The model that is being learned: a linear evaluation whose weights move."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

import gdl
from ggp.search.knowledge.evaluation.linear import squashed
from ggp.search.knowledge.evaluation.weights import Figure, Row, Weights, digest
from ggp.search.knowledge.learning.features import FeatureSpace, FloatArray

_DIGITS = 6


class LinearModel:
    """Weights on the features of a game; an `Evaluation`. `R` roles, `F` features.

    Attributes:
        weights: `[R, F + 1]` for centred and scaled features, the bias last. Whoever changes them
            calls `refresh`.
        is_tug_of_war: Whether there are two roles and what one gains the other loses: then they
            share one row of weights. Facts that are good for one are bad for the other; evaluations
            are seen by each role from its own side.
    """

    def __init__(self, space: FeatureSpace, num_roles: int, is_tug_of_war: bool) -> None:
        self.space = space
        self.is_tug_of_war = is_tug_of_war
        self._mirror = np.where([*space.is_own_view, False], 1.0, -1.0)  # [F + 1], the bias last
        self.weights: FloatArray = np.zeros((num_roles, len(space) + 1))
        self.refresh()

    def copy(self) -> LinearModel:
        """The same evaluation with weights of its own."""
        other = LinearModel(self.space, len(self.weights), self.is_tug_of_war)
        other.set(self.weights)
        return other

    def set(self, weights: FloatArray) -> None:
        """Take over weights."""
        self.weights = weights.copy()
        self.refresh()

    def refresh(self) -> None:
        """Make the evaluation that of the present weights."""
        if self.is_tug_of_war:
            self.weights[0] = (self.weights[0] + self._mirror * self.weights[1]) / 2
            self.weights[1] = self._mirror * self.weights[0]
        self._sums = self.space.sums(self.weights)

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """The value of every role, between 0 and 100."""
        return tuple(squashed(total) for total in self._sums(state))

    def learn(self, states: Sequence[gdl.State], targets: FloatArray, rate: float) -> None:
        """Move the weights so that the values of states come nearer to their targets.

        The gradient is that of the likelihood, as in logistic regression: the error times the
        feature. The step is divided by the number of features, which bounds what one state does.

        Args:
            states: `T` states.
            targets: `[T, R]` what they should be worth, from 0 to 1; NaN where that is not known.
            rate: From 0 to about 2: how far to go.
        """
        if not states:
            return
        features = np.stack([self.space.of(state) for state in states])  # [T, R, F]
        totals = np.einsum("trf,rf->tr", features, self.weights[:, :-1]) + self.weights[:, -1]
        errors = np.nan_to_num(targets - 1 / (1 + np.exp(-totals)))
        step = rate / (1 + len(self.space))
        self.weights[:, :-1] += step * np.einsum("tr,trf->rf", errors, features)
        self.weights[:, -1] += step * errors.sum(0)
        self.refresh()

    def as_weights(
        self, game: gdl.Game, name: str, method: str, figures: dict[str, Figure]
    ) -> Weights:
        """The weights as a file keeps them; features without weight are left out."""
        scale, bias = self.space.raw(self.weights)
        rows = {name: _row(scale[:, i]) for i, name in enumerate(self.space.names)}
        return Weights(
            game=name,
            rules=digest(game),
            roles=tuple(str(role) for role in game.roles),
            bias=_row(bias),
            features={name: row for name, row in rows.items() if any(row)},
            method=method,
            figures=figures,
        )


def _row(numbers: FloatArray) -> Row:
    return tuple(round(number, _DIGITS) for number in numbers.tolist())
