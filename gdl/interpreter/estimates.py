"""Expected number of answers to a literal: counted where there are facts, else guessed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence

from gdl.interpreter.index import Pattern, Row, mean_answers, row_of
from gdl.rulesheet import DependencyGraph, Relation
from gdl.rulesheet.graph import DOES, TRUE
from gdl.terms import Compound, Term

_UNKNOWN_ANSWERS = 30.0  # of a relation defined by rules, with no argument known
_AS_LATE_AS_POSSIBLE = 1e6  # more than any number of answers to be expected otherwise
_UNSEEN_FACTS = 8.0  # of a fact of the state that the typical state has not


class Estimates:
    """Expected numbers of answers in one game.

    Args:
        facts: The rows of each relation that are given as facts.
        derived: The relations that have rules.
        graph: How the relations depend on each other.

    Attributes:
        typical_state: Some state of the game, by which facts of the state are counted.
        reluctant: Relations that are asked as late as possible, so that most arguments are known:
            those with an unsafe rule, which holds for any value of some argument but cannot list
            them, and those whose recursion did not come to an end otherwise.
    """

    def __init__(
        self,
        facts: Mapping[Relation, Sequence[Row]],
        derived: Collection[Relation],
        graph: DependencyGraph,
    ) -> None:
        self._facts = facts
        self._derived = derived
        self._graph = graph
        self.typical_state: frozenset[Term] = frozenset()
        self.reluctant: set[Relation] = set()

    def of(self, relation: Relation, pattern: Pattern, args: tuple[Term, ...]) -> float:
        """Expected answers to a positive literal."""
        if relation == DOES:
            return 1.0 if pattern[0] else 2.0
        if relation == TRUE:
            return self._of_true(pattern, args[0])
        if relation not in self._derived:
            return mean_answers(self._facts.get(relation, ()), pattern)
        if all(pattern):
            return 1.0
        expected = float(_UNKNOWN_ANSWERS ** (1.0 - sum(pattern) / len(pattern)))
        if relation in self.reluctant:
            expected *= _AS_LATE_AS_POSSIBLE
        elif not any(pattern) and self._graph.is_recursive(relation):
            expected *= _UNKNOWN_ANSWERS  # knowing more first avoids cycles and endless terms
        return expected

    def _of_true(self, pattern: Pattern, fact: Term) -> float:
        if all(pattern):
            return 0.9
        if not isinstance(fact, Compound):
            return max(_UNSEEN_FACTS, len(self.typical_state))
        rows = [
            row_of(other.args)
            for other in self.typical_state
            if isinstance(other, Compound) and Relation.of(other) == Relation.of(fact)
        ]
        shape = tuple(arg.is_ground for arg in fact.args)
        if not rows:
            return float(_UNSEEN_FACTS ** (1.0 - sum(shape) / len(shape)))
        return mean_answers(rows, shape)
