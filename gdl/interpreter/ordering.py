"""In which order the items of a body are asked: cheap tests first, then what has fewest answers.

Greedy, one item at a time, as database systems join when they know little: an item all of whose
variables are known is a test; of the others the one with the fewest expected answers comes next.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence

from gdl.interpreter.index import Pattern
from gdl.rulesheet.rules import Comparison, Disjunction, Item, Literal, Relation, item_variables
from gdl.terms import Term, Variable, variables

# Expected answers of an item that is a test. The order among tests is by their cost.
_COMPARISON = 0.0
_MEMBERSHIP = 0.1
_DERIVED_TEST = 0.5
_DISJUNCTION_TEST = 0.6
_NOT_READY = float("inf")

Estimate = Callable[[Relation, Pattern, tuple[Term, ...]], float]


def is_known(term: Term, known: Collection[Variable]) -> bool:
    """Whether every variable of a term is known."""
    return term.is_ground or variables(term) <= set(known)


def pattern_of(args: tuple[Term, ...], known: Collection[Variable]) -> Pattern:
    """Which arguments are known."""
    return tuple(is_known(arg, known) for arg in args)


def _cost(item: Item, known: set[Variable], outside: set[Variable], estimate: Estimate) -> float:
    """Expected answers of an item; `outside` are the variables that others have as well."""
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
    """Expected answers of a disjunction that gives values to variables.

    It has to wait while a branch tests a variable without value, or while others share a variable
    to which some branches give a value and some do not.
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
    """The variables, beside the known ones, to which a conjunction gives values."""
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
    """The variables, beside the known ones, to which every branch gives values."""
    branches = [bound_variables(branch, known) for branch in item.branches]
    return set.intersection(*branches) if branches else set()


def cheapest(
    items: Sequence[Item], known: set[Variable], wanted: set[Variable], estimate: Estimate
) -> int | None:
    """Index of the item to ask next; None if each has to wait for variables nobody binds.

    Args:
        items: What is left of a body.
        known: Variables with a value.
        wanted: Variables that are used after the body.
        estimate: Expected number of answers to a positive literal.
    """
    costs = []
    for place, item in enumerate(items):
        others = (item_variables(other) for index, other in enumerate(items) if index != place)
        outside = wanted.union(*others) if isinstance(item, Disjunction) else wanted
        costs.append(_cost(item, known, outside, estimate))
    best = min(range(len(items)), key=costs.__getitem__, default=None)
    return None if best is None or costs[best] == _NOT_READY else best
