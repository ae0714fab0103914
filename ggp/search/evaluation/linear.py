"""Linear combinations: the weighted sum of features, squeezed into the range of goals.

The lecture *Game Playing*: "w1 f1 + w2 f2 + ... + wn fn". Features are counts of patterns, which
are whole numbers, and other evaluations, which are scaled to -1..1. The weights of each role are
its own, since games need not be a tug-of-war between two.

A pattern is a fact with some arguments left open: `(cell ? ? white)` matches as many facts as
white has pieces, `(cell ? 5 white)` those of them on row 5. Which relations, positions and
constants there are is read off the states of random games, so no name means anything here. See
Kuhlmann, Dresner, Stone, Automatic Heuristic Construction in a Complete General Game Player, 2006.

Where all features are patterns the value is linear in the facts of a state,

    100 / (1 + exp(-(bias + sum of the weights of the facts that are true)))

A search in array code can take the weights of all facts once and never ask for Python objects
again; the sum orders states as the value does.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations

import gdl
from ggp.search.evaluation.evaluation import EVEN, Evaluation
from ggp.search.evaluation.weights import Row, Weights, WeightsError

OPEN = gdl.Variable("?")
"""Stands for any argument."""
MOST_ARGUMENTS = 8
"""A fact with more arguments is matched by the patterns that leave all or none of them open."""


def patterns_of(fact: gdl.Term) -> Iterator[gdl.Term]:
    """All patterns that match a fact, from the most open one to the fact itself."""
    if not isinstance(fact, gdl.Compound):
        yield fact
        return
    places = range(len(fact.args))
    sizes = places if len(places) <= MOST_ARGUMENTS else (0,)
    for size in sizes:
        for fixed in combinations(places, size):
            args = [fact.args[place] if place in fixed else OPEN for place in places]
            yield gdl.Compound(fact.name, tuple(args))
    yield fact


def find_patterns(
    machine: gdl.StateMachine, states: Sequence[gdl.State], most: int
) -> tuple[gdl.Term, ...]:
    """The patterns whose counts differ between the states, the most general first.

    Of patterns that match the same facts only the most general is kept.

    Args:
        most: How many patterns at most; the most specific ones are left out first.
    """
    facts_of = [machine.facts(state) for state in states]
    matched: dict[gdl.Term, list[gdl.Term]] = {}
    for fact in dict.fromkeys(fact for facts in facts_of for fact in facts):
        for pattern in patterns_of(fact):
            matched.setdefault(pattern, []).append(fact)
    widest: dict[frozenset[gdl.Term], gdl.Term] = {}
    for pattern in sorted(matched, key=_openness):
        widest.setdefault(frozenset(matched[pattern]), pattern)
    varying = _varying(list(widest.values()), facts_of)
    return tuple(varying[:most])


def _openness(pattern: gdl.Term) -> tuple[int, str]:
    args = pattern.args if isinstance(pattern, gdl.Compound) else ()
    return sum(arg is not OPEN for arg in args), str(pattern)


def _varying(
    patterns: Sequence[gdl.Term], facts_of: Sequence[tuple[gdl.Term, ...]]
) -> list[gdl.Term]:
    counts = [
        Counter(pattern for fact in facts for pattern in patterns_of(fact)) for facts in facts_of
    ]
    return [p for p in patterns if len({count[p] for count in counts}) > 1]


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
    """A weighted sum of features, squashed into 0..100."""

    def __init__(
        self, game: gdl.Game, weights: Weights, from_name: FromName, names: Sequence[str]
    ) -> None:
        """An evaluation by weights, whose features are evaluations of these names, or patterns.

        Raises:
            WeightsError: The weights are of another game, or a feature is none.
        """
        weights.check(game)
        self._game = game
        # The features that are evaluations, and their weights for each role
        self.parts: list[tuple[Evaluation, Row]] = []
        patterns: dict[gdl.Term, Row] = {}
        for feature, row in weights.features.items():
            if feature in names:
                self.parts.append((from_name(feature), row))
            else:
                patterns[_pattern(feature)] = row
        self.facts = FactWeights(weights.bias, patterns)  # the weights by fact

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
