"""Ordering of the conditions of a rule by their expected numbers of answers."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence

from gdl.interpreter.tabling import Pattern, Row, mean_answers, row_of
from gdl.rulesheet.graph import DOES, TRUE, DependencyGraph
from gdl.rulesheet.rules import Comparison, Disjunction, Item, Literal, Relation, item_variables
from gdl.terms import Compound, Term, Variable, variables

_UNKNOWN_ANSWERS = 30.0  # assumed for a relation defined by rules, if no argument is known
_AS_LATE_AS_POSSIBLE = 1e6  # more than any other expected number of answers
_UNSEEN_FACTS = 8.0  # assumed for facts that the typical state does not contain


class Estimates:
    """Expected numbers of answers in one game.

    Attributes:
        typical_state: A state of the game, used to count the facts of the state.
        reluctant: Relations to evaluate as late as possible, so that most arguments are known. Some
            have an unsafe rule, which holds for any value of an argument but cannot list the
            values. The others are recursive, and their recursion would not end otherwise.
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
        """Return the expected number of answers to a positive literal."""
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
            # With known arguments, there are fewer cycles and endless terms.
            expected *= _UNKNOWN_ANSWERS
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


# Expected answers of an item that only tests. These values order the tests by cost.
_COMPARISON = 0.0
_MEMBERSHIP = 0.1
_DERIVED_TEST = 0.5
_DISJUNCTION_TEST = 0.6
_NOT_READY = float("inf")

Estimate = Callable[[Relation, Pattern, tuple[Term, ...]], float]


def is_known(term: Term, known: Collection[Variable]) -> bool:
    """Return whether all variables of a term are known."""
    return term.is_ground or variables(term) <= set(known)


def pattern_of(args: tuple[Term, ...], known: Collection[Variable]) -> Pattern:
    """Return a pattern: for each argument, whether its value is known."""
    return tuple(is_known(arg, known) for arg in args)


def _cost(item: Item, known: set[Variable], outside: set[Variable], estimate: Estimate) -> float:
    if isinstance(item, Comparison):
        sides = is_known(item.left, known) + is_known(item.right, known)
        may_bind = not item.is_distinct and sides == 1
        return _COMPARISON if sides == 2 or may_bind else _NOT_READY
    is_test = item_variables(item) <= known
    if isinstance(item, Disjunction):
        return _DISJUNCTION_TEST if is_test else _branching_cost(item, known, outside, estimate)
    if not item.is_positive and not is_test:
        return _NOT_READY
    expected = estimate(item.relation, pattern_of(item.args, known), item.args)
    if is_test:
        return min(expected, _MEMBERSHIP if expected < 1 else _DERIVED_TEST)
    return max(expected, _DERIVED_TEST)


def _branching_cost(
    item: Disjunction, known: set[Variable], outside: set[Variable], estimate: Estimate
) -> float:
    """Return the expected number of answers to a disjunction that binds variables.

    Return `_NOT_READY` if a branch tests an unbound variable, or if other items share a variable
    that only some of its branches bind.
    """
    common = common_variables(item, known)
    if (item_variables(item) & outside) - known - common:
        return _NOT_READY
    expected = _DERIVED_TEST
    for branch in item.branches:
        bound = bound_variables(branch, known)
        if not set().union(*map(item_variables, branch)) <= known | bound:
            return _NOT_READY
        expected += min((_cost(part, known, outside, estimate) for part in branch), default=0.0)
    return expected


def bound_variables(branch: Sequence[Item], known: Collection[Variable]) -> set[Variable]:
    """Return the variables that a conjunction binds, except for the known ones."""
    found: set[Variable] = set()
    for item in branch:
        if isinstance(item, Disjunction):
            found |= common_variables(item, known)
        elif isinstance(item, Literal) and item.is_positive:
            found |= item_variables(item)
    for item in branch:
        if isinstance(item, Comparison) and not item.is_distinct:
            have = found.union(known)
            if is_known(item.left, have) or is_known(item.right, have):
                found |= item_variables(item)
    return found.difference(known)


def common_variables(item: Disjunction, known: Collection[Variable]) -> set[Variable]:
    """Return the variables that every branch of a disjunction binds, except for the known ones."""
    branches = [bound_variables(branch, known) for branch in item.branches]
    return set.intersection(*branches) if branches else set()


def cheapest(
    items: Sequence[Item], known: set[Variable], wanted: set[Variable], estimate: Estimate
) -> int | None:
    """Return the index of the item to evaluate next.

    If every item needs variables that are not bound yet, return the first disjunction, or None if
    there is none. `wanted` are the variables that are used after the body.
    """
    costs = []
    for place, item in enumerate(items):
        others = (item_variables(other) for index, other in enumerate(items) if index != place)
        outside = wanted.union(*others) if isinstance(item, Disjunction) else wanted
        costs.append(_cost(item, known, outside, estimate))
    best = min(range(len(items)), key=costs.__getitem__, default=None)
    if best is None or costs[best] < _NOT_READY:
        return best
    several = (place for place, item in enumerate(items) if isinstance(item, Disjunction))
    return next(several, None)
