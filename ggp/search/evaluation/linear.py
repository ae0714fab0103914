"""Evaluations that are linear in the facts of a state: the sum of a weight per fact.

`100 / (1 + exp(-(bias + sum of the weights of the facts that are true)))`

is what `FactWeights` describe, for each role. A search in array code can take the weights of all
facts once and never ask for Python objects again; the sum orders states as the value does.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Protocol

import gdl
from ggp.search.evaluation.patterns import patterns_of

_LARGEST = 30.0  # more than that and exp() says 0 or 1 anyway


class LinearOnBases(Protocol):
    """All that is needed to compute an evaluation from the facts alone."""

    @property
    def bias(self) -> tuple[float, ...]:
        """The bias of each role: what its sum begins with."""
        ...

    def weights_of(self, fact: gdl.Term) -> tuple[float, ...]:
        """The weights of a fact: what it adds to the sum of each role while it is true."""
        ...


class FactWeights:
    """The weights of facts, from weights of patterns that match them."""

    def __init__(
        self, bias: tuple[float, ...], patterns: Mapping[gdl.Term, tuple[float, ...]]
    ) -> None:
        """Weights.

        Args:
            bias: For each role, what the sum begins with.
            patterns: The weight of each pattern for each role, see `patterns_of`.
        """
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


def linear_of(evaluation: object) -> LinearOnBases | None:
    """The weights of an evaluation that depends linearly on the facts; None for any other.

    An evaluation says so by an attribute `linear`. Its value is `squashed` of the sum.
    """
    found: LinearOnBases | None = getattr(evaluation, "linear", None)
    return found
