"""A linear evaluation whose weights are learned, and its features."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np

import gdl
from ggp.search.evaluation.evaluation import Evaluation
from ggp.search.evaluation.linear import find_patterns, patterns_of, scaled, squashed
from ggp.search.evaluation.weights import Figure, Row, Weights, digest
from ggp.search.kernels.arrays import FloatArray

MAX_PATTERNS = 600
_MIN_SPREAD = 1e-6


class FeatureSpace:
    """The `F` features of one game: first the patterns, then the evaluations.

    Features are centred and divided by their standard deviation in a sample of states, so that one
    step size suits all of them. `raw` converts weights back to unscaled features.
    """

    def __init__(
        self,
        machine: gdl.StateMachine,
        states: Sequence[gdl.State],
        evaluations: Mapping[str, Evaluation],
        most: int = MAX_PATTERNS,
    ) -> None:
        self._machine = machine
        self._patterns = {p: i for i, p in enumerate(find_patterns(machine, states, most))}
        self._evaluations = tuple(evaluations.values())
        # `F` texts: patterns in KIF, then names of evaluations
        self.names = (*map(str, self._patterns), *evaluations)
        self._index: dict[gdl.Term, int] = {}
        self._matches: FloatArray = np.zeros((64, len(self._patterns)))  # [facts, patterns]
        # Each role has its own values of the evaluations. Patterns have the same values for all
        # roles.
        sample = np.concatenate([self._unscaled(state) for state in states] or [self._nothing()])
        self._mean = sample.mean(0)
        self._spread = np.where(sample.std(0) > _MIN_SPREAD, sample.std(0), 1.0)

    def __len__(self) -> int:
        return len(self.names)

    @property
    def is_own_view(self) -> tuple[bool, ...]:
        """For each of the `F` features, whether it is an evaluation, with a value for each role."""
        num_patterns = len(self._patterns)
        return (False,) * num_patterns + (True,) * len(self._evaluations)

    def of(self, state: gdl.State) -> FloatArray:
        """Return the features of a state for each role, `[R, F]`."""
        return np.asarray((self._unscaled(state) - self._mean) / self._spread)

    def sums(self, weights: FloatArray) -> Callable[[gdl.State], list[float]]:
        """Return a function that computes the weighted sum of a state's features for each role.

        The function is faster than `of`. `weights` is `[R, F + 1]`, the bias last.
        """
        scale, bias = self.raw(weights)
        num_patterns = len(self._patterns)
        by_fact = (self._matches @ scale[:, :num_patterns].T).tolist()
        others = scale[:, num_patterns:]
        start = bias.tolist()

        def sums(state: gdl.State) -> list[float]:
            totals = list(start)
            for fact in self._machine.facts(state):
                number = self._number(fact)
                if number >= len(by_fact):  # a fact that was never seen before
                    matches = self._matches[len(by_fact) : number + 1]
                    by_fact.extend((matches @ scale[:, :num_patterns].T).tolist())
                for role, weight in enumerate(by_fact[number]):
                    totals[role] += weight
            if self._evaluations:
                extra = (others * self._evaluated(state)).sum(1)
                totals = [total + more for total, more in zip(totals, extra.tolist(), strict=True)]
            return totals

        return sums

    def raw(self, weights: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the weights for unscaled features, `[R, F]`, and the bias for them, `[R]`."""
        scale = weights[:, :-1] / self._spread
        return scale, weights[:, -1] - scale @ self._mean

    def _nothing(self) -> FloatArray:
        return np.zeros((1, len(self.names)))

    def _unscaled(self, state: gdl.State) -> FloatArray:
        numbers = [self._number(fact) for fact in self._machine.facts(state)]
        counts = self._matches[numbers].sum(0)
        rows = np.tile(counts, (len(self._machine.roles), 1))
        return np.hstack([rows, self._evaluated(state)]) if self._evaluations else rows

    def _evaluated(self, state: gdl.State) -> FloatArray:
        """Return the values of the evaluations, `[R, evaluations]`, scaled to -1..1."""
        columns = [[scaled(value) for value in each(state)] for each in self._evaluations]
        return np.array(columns).T

    def _number(self, fact: gdl.Term) -> int:
        number = self._index.get(fact)
        if number is None:
            number = self._index[fact] = len(self._index)
            if number == len(self._matches):
                self._matches = np.vstack([self._matches, np.zeros_like(self._matches)])
            known = [self._patterns[p] for p in patterns_of(fact) if p in self._patterns]
            self._matches[number, known] = 1
        return number


_DIGITS = 6


class LinearModel:
    """An `Evaluation` that is a weighted sum of `F` features, for `R` roles, and that can learn."""

    def __init__(self, space: FeatureSpace, num_roles: int, is_tug_of_war: bool) -> None:
        self.space = space
        # Whether there are two roles, and one loses what the other gains. Then both rows of weights
        # are kept equal, except for the sign of patterns and bias, because facts that are good for
        # one role are bad for the other.
        self.is_tug_of_war = is_tug_of_war
        self._mirror = np.where([*space.is_own_view, False], 1.0, -1.0)  # [F + 1], the bias last
        # `[R, F + 1]` weights for centred and scaled features, the bias last. Call `refresh` after
        # each change.
        self.weights: FloatArray = np.zeros((num_roles, len(space) + 1))
        self.refresh()

    def set(self, weights: FloatArray) -> None:
        """Replace the weights."""
        self.weights = weights.copy()
        self.refresh()

    def refresh(self) -> None:
        """Update the evaluation to the current weights."""
        if self.is_tug_of_war:
            self.weights[0] = (self.weights[0] + self._mirror * self.weights[1]) / 2
            self.weights[1] = self._mirror * self.weights[0]
        self._sums = self.space.sums(self.weights)

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """Return the value of every role, between 0 and 100."""
        return tuple(squashed(total) for total in self._sums(state))

    def learn(self, states: Sequence[gdl.State], targets: FloatArray, rate: float) -> None:
        """Move the weights so that the values of the states come closer to their targets.

        As in logistic regression, the step follows the gradient of the likelihood: the error times
        the feature. It is divided by the number of features, which limits the effect of one state.

        Args:
            states: `T` states.
            targets: `[T, R]` target values, from 0 to 1. NaN means unknown.
            rate: Step size, from 0 to about 2.
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
        """Return the weights in the format of a file, without features of weight 0."""
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
