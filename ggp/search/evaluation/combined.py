"""Linear combinations: the weighted sum of features, squeezed into the range of goals.

The lecture *Game Playing*: "w1 f1 + w2 f2 + ... + wn fn". Features are counts of patterns, which
are whole numbers, and other evaluations, which are scaled to -1..1. The weights of each role are
its own, since games need not be a tug-of-war between two.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import gdl
from ggp.search.evaluation.evaluation import EVEN, Evaluation
from ggp.search.evaluation.linear import FactWeights, LinearOnBases, squashed
from ggp.search.evaluation.weights import Row, Weights, WeightsError

FromName = Callable[[str], Evaluation]


class MeanEvaluation:
    """The plain mean of several evaluations: what there is before any weights are learned.

    Attributes:
        parts: The evaluations.
    """

    def __init__(self, parts: Sequence[Evaluation]) -> None:
        self.parts = tuple(parts)

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """The mean for every role."""
        columns = zip(*(part(state) for part in self.parts), strict=True)
        return tuple(sum(column) / len(self.parts) for column in columns)


class LinearEvaluation:
    """A weighted sum of features, squashed into 0..100.

    Attributes:
        parts: The features that are evaluations, and their weights for each role.
        facts: The weights by fact.
        linear: The same, if no feature is anything but a pattern of facts.
    """

    linear: LinearOnBases | None

    def __init__(
        self, game: gdl.Game, weights: Weights, from_name: FromName, names: Sequence[str]
    ) -> None:
        """An evaluation by weights.

        Args:
            weights: Must be those of this game.
            from_name: Makes the evaluations that are features.
            names: What they are called; every other feature is a pattern.

        Raises:
            WeightsError: The weights are of another game, or a feature is none.
        """
        weights.check(game)
        self._game = game
        self.parts: list[tuple[Evaluation, Row]] = []
        patterns: dict[gdl.Term, Row] = {}
        for feature, row in weights.features.items():
            if feature in names:
                self.parts.append((from_name(feature), row))
            else:
                patterns[_pattern(feature)] = row
        self.facts = FactWeights(weights.bias, patterns)
        self.linear = None if self.parts else self.facts

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """The value of every role, between 0 and 100."""
        totals = self.facts.sums(self._game.facts(state))
        for part, row in self.parts:
            for role, value in enumerate(part(state)):
                totals[role] += row[role] * scaled(value)
        return tuple(squashed(total) for total in totals)


def scaled(value: float) -> float:
    """A value from 0 to 100 as one from -1 to 1, as the weights of evaluations take it."""
    return (value - EVEN) / EVEN


def _pattern(text: str) -> gdl.Term:
    try:
        return gdl.read_term(text, gdl.read_kif(""))
    except gdl.GdlError as error:
        raise WeightsError(f"weights: expected a pattern of facts, got {text!r}") from error
