"""Linear combinations: the weighted sum of features, squeezed into the range of goals.

The lecture *Game Playing*: "w1 f1 + w2 f2 + ... + wn fn". Features are counts of patterns, which
are whole numbers, and other evaluations, which are scaled to -1..1. The weights of each role are
its own, since games need not be a tug-of-war between two. Where all features are patterns the value
is linear in the facts of a state,

    100 / (1 + exp(-(bias + sum of the weights of the facts that are true)))

A search in array code can take the weights of all facts once and never ask for Python objects
again; the sum orders states as the value does.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence

import gdl
from ggp.search.evaluation.evaluation import EVEN, Evaluation
from ggp.search.evaluation.patterns import patterns_of
from ggp.search.evaluation.weights import Row, Weights, WeightsError

_LARGEST = 30.0  # more than that and exp() says 0 or 1 anyway


class FactWeights:
    """The weights of facts, from weights of patterns that match them."""

    def __init__(
        self, bias: tuple[float, ...], patterns: Mapping[gdl.Term, tuple[float, ...]]
    ) -> None:
        self.bias = bias
        self._patterns = patterns
        self._known: dict[gdl.Term, tuple[float, ...]] = {}

    def weights_of(self, fact: gdl.Term) -> tuple[float, ...]:
        """The sums of the weights of all patterns that match the fact, for each role."""
        found = self._known.get(fact)
        if found is None:
            rows = [self._patterns[p] for p in patterns_of(fact) if p in self._patterns]
            found = tuple(sum(column) for column in zip(*rows, strict=True)) or (0.0,) * len(
                self.bias
            )
            self._known[fact] = found
        return found

    def sums(self, facts: tuple[gdl.Term, ...]) -> list[float]:
        """The sum of each role in a state of these facts."""
        totals = list(self.bias)
        for fact in facts:
            for role, weight in enumerate(self.weights_of(fact)):
                totals[role] += weight
        return totals


def squashed(total: float) -> float:
    """The value from 0 to 100 that a sum stands for; 50 for 0, rising everywhere."""
    return 100.0 / (1.0 + math.exp(-min(_LARGEST, max(-_LARGEST, total))))


FromName = Callable[[str], Evaluation]


class MeanEvaluation:
    """The plain mean of several evaluations: what there is before any weights are learned."""

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
    """

    def __init__(
        self, game: gdl.Game, weights: Weights, from_name: FromName, names: Sequence[str]
    ) -> None:
        """An evaluation by weights, whose features are evaluations of these names, or patterns.

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
