"""Linear evaluations: a weighted sum of features, squashed into the range of goals.

The lecture *Game Playing* writes it as "w1 f1 + w2 f2 + ... + wn fn". Features are counts of
patterns, which are whole numbers, and other evaluations, scaled to -1..1. Each role has its own
weights, because not every game is a contest between two roles.

A pattern is a fact in which some arguments are left open. `(cell ? ? white)` matches as many facts
as white has pieces, and `(cell ? 5 white)` those on row 5. Relations, arguments and constants are
collected from states of random games, so no name has a built-in meaning. See Kuhlmann, Dresner,
Stone, Automatic Heuristic Construction in a Complete General Game Player, 2006.

If all features are patterns, the sum is linear in the facts of a state:

    100 / (1 + exp(-(bias + sum of the weights of the facts that are true)))

So a search on arrays can read the weights of all facts once and needs no Python objects afterwards.
The sum orders states in the same way as the value.
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
"""The symbol for an open argument, which matches anything."""
MAX_ARGUMENTS = 8
"""Facts with more arguments match only two patterns: with all arguments open, and with none."""


def patterns_of(fact: gdl.Term) -> Iterator[gdl.Term]:
    """Yield all patterns that match a fact, from the most open one to the fact itself."""
    if not isinstance(fact, gdl.Compound):
        yield fact
        return
    places = range(len(fact.args))
    sizes = places if len(places) <= MAX_ARGUMENTS else (0,)
    for size in sizes:
        for fixed in combinations(places, size):
            args = [fact.args[place] if place in fixed else OPEN for place in places]
            yield gdl.Compound(fact.name, tuple(args))
    yield fact


def find_patterns(
    machine: gdl.StateMachine, states: Sequence[gdl.State], most: int
) -> tuple[gdl.Term, ...]:
    """Find the patterns whose counts differ between the states, the most general first.

    Among patterns that match the same facts, keep only the most general.

    Args:
        most: Return at most this many patterns. If there are more, leave out the most specific.
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


_LARGEST = 30.0  # larger sums are clipped, because the value is practically 100 (or 0 below -30)


class FactWeights:
    """The weights of facts, computed from the weights of the patterns that match them."""

    def __init__(
        self, bias: tuple[float, ...], patterns: Mapping[gdl.Term, tuple[float, ...]]
    ) -> None:
        self.bias = bias
        self._patterns = patterns
        self._known: dict[gdl.Term, tuple[float, ...]] = {}

    def weights_of(self, fact: gdl.Term) -> tuple[float, ...]:
        """Return the sum of the weights of all patterns that match the fact, for each role."""
        found = self._known.get(fact)
        if found is None:
            rows = [self._patterns[p] for p in patterns_of(fact) if p in self._patterns]
            found = tuple(sum(column) for column in zip(*rows, strict=True)) or (0.0,) * len(
                self.bias
            )
            self._known[fact] = found
        return found

    def sums(self, facts: tuple[gdl.Term, ...]) -> list[float]:
        """Return each role's sum in a state with these facts."""
        totals = list(self.bias)
        for fact in facts:
            for role, weight in enumerate(self.weights_of(fact)):
                totals[role] += weight
        return totals


def squashed(total: float) -> float:
    """Map a sum to a value from 0 to 100. The map is increasing, and 0 becomes 50."""
    return 100.0 / (1.0 + math.exp(-min(_LARGEST, max(-_LARGEST, total))))


FromName = Callable[[str], Evaluation]


class MeanEvaluation:
    """The mean of several evaluations, used until weights are learned."""

    def __init__(self, parts: Sequence[Evaluation]) -> None:
        self.parts = tuple(parts)

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """Return the mean value of every role."""
        columns = zip(*(part(state) for part in self.parts), strict=True)
        return tuple(sum(column) / len(self.parts) for column in columns)


class LinearEvaluation:
    """A weighted sum of features, squashed into 0..100."""

    def __init__(
        self, game: gdl.Game, weights: Weights, from_name: FromName, names: Sequence[str]
    ) -> None:
        """Create an evaluation from weights.

        Args:
            from_name: Returns the evaluation with a given name.
            names: The features that are names of evaluations. All others are patterns.

        Raises:
            WeightsError: The weights are for another game, or a feature is neither an evaluation
                nor a pattern.
        """
        weights.check(game)
        self._game = game
        # The features that are evaluations, and their weights for each role.
        self.parts: list[tuple[Evaluation, Row]] = []
        patterns: dict[gdl.Term, Row] = {}
        for feature, row in weights.features.items():
            if feature in names:
                self.parts.append((from_name(feature), row))
            else:
                patterns[_pattern(feature)] = row
        self.facts = FactWeights(weights.bias, patterns)

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """Return the value of every role, between 0 and 100."""
        totals = self.facts.sums(self._game.facts(state))
        for part, row in self.parts:
            for role, value in enumerate(part(state)):
                totals[role] += row[role] * scaled(value)
        return tuple(squashed(total) for total in totals)


def scaled(value: float) -> float:
    """Scale a value from 0..100 to -1..1, the range that the weights expect."""
    return (value - EVEN) / EVEN


def _pattern(text: str) -> gdl.Term:
    try:
        return gdl.read_term(text, gdl.read_kif(""))
    except gdl.GdlError as error:
        raise WeightsError(f"weights: expected a pattern of facts, got {text!r}") from error
