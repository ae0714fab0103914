"""Checks of what relations depend on: the state, the moves, themselves and their negation.

For stratification and the recursion restriction see Love et al., General Game Playing: Game
Description Language Specification, 2008.
"""

from __future__ import annotations

from collections.abc import Iterator

from gdl.check.diagnostic import (
    Diagnostic,
    argument_forms,
    as_written,
    finding,
    symbol_span,
)
from gdl.check.statements import HEADS_ONLY
from gdl.rulesheet import (
    RESERVED,
    Body,
    DependsOn,
    Disjunction,
    Literal,
    Relation,
    Rule,
    Rulesheet,
)
from gdl.rulesheet.rules import literals
from gdl.terms import Compound, Term, Variable, is_alike

_MAX_RULES = 400  # in one component: the check compares all pairs, and rulesheets are untrusted


def check_negation(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Find relations that depend on their own negation.

    The rules still have a unique meaning if the arguments differ, so that the negated atom never
    leads back to the rule's own head. Such cases are warnings, the others are errors.
    """
    by_component: dict[tuple[Relation, ...], set[tuple[Relation, Relation]]] = {}
    for relation, negated in rulesheet.graph.negative_cycles():
        component = rulesheet.graph.component(relation)
        by_component.setdefault(component, set()).add((relation, negated))
    for component, pairs in by_component.items():
        rules = [rule for name in component for rule in rulesheet.definitions.get(name, ())]
        yield from _negations(_Calls(rules), pairs)


def _negations(calls: _Calls, pairs: set[tuple[Relation, Relation]]) -> Iterator[Diagnostic]:
    for rule in calls.rules:
        for literal in literals(rule.body):
            if not literal.is_positive and (rule.relation, literal.relation) in pairs:
                yield _negated(rule, literal, calls.leads_back(rule, literal))


def _negated(rule: Rule, literal: Literal, leads_back: bool) -> Diagnostic:
    span = symbol_span(rule, literal.span)
    name, own = literal.relation.name, rule.relation.name
    via = "itself" if name == own else f"'{name}', which depends on '{own}'"
    if leads_back:
        return finding(
            "negation-cycle",
            span,
            f"'{own}' depends on the negation of {via}, perhaps for the same arguments, and then "
            "has no single meaning; break the cycle",
        )
    return finding(
        "negation-apart",
        span,
        f"'{own}' depends on the negation of {via}; it can be played because the arguments differ, "
        "but the specification forbids it; use an auxiliary relation",
    )


class _Calls:
    """Index of the rules of mutually recursive relations: it finds those that may prove an atom."""

    def __init__(self, rules: list[Rule]) -> None:
        self.rules = rules
        self._called: dict[Term, frozenset[int]] = {}

    def leads_back(self, rule: Rule, literal: Literal) -> bool:
        if len(self.rules) > _MAX_RULES:
            return True
        seen: set[int] = set()
        waiting: list[Term] = [literal.atom]
        while waiting:
            called = self._rules_for(waiting.pop()) - seen
            if any(self.rules[index] is rule for index in called):
                return True
            seen |= called
            waiting.extend(
                item.atom for index in called for item in literals(self.rules[index].body)
            )
        return False

    def _rules_for(self, atom: Term) -> frozenset[int]:
        if atom not in self._called:
            heads = enumerate(rule.head for rule in self.rules)
            self._called[atom] = frozenset(i for i, head in heads if may_unify(atom, head))
        return self._called[atom]


def check_recursion(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Find arguments of recursive conditions that break the recursion restriction.

    Each argument must be ground or also be an argument of the head or of a positive condition that
    does not depend on the head.
    """
    graph = rulesheet.graph
    for rule in rulesheet.rules:
        if graph.is_recursive(rule.relation):
            head = rule.head
            allowed = frozenset(Literal(head, True, rule.span).args)
            yield from _restricted(rule, rule.body, allowed, rulesheet)


def _restricted(
    rule: Rule, body: Body, allowed: frozenset[Term], rulesheet: Rulesheet
) -> Iterator[Diagnostic]:
    share = rulesheet.graph.share_component
    positive = [item for item in body if isinstance(item, Literal) and item.is_positive]
    plain = [item for item in positive if not share(item.relation, rule.relation)]
    allowed = allowed.union(*(item.args for item in plain))
    for item in body:
        if isinstance(item, Disjunction):
            for branch in item.branches:
                yield from _restricted(rule, branch, allowed, rulesheet)
        elif item in positive and item not in plain and item.relation.name not in HEADS_ONLY:
            yield from _arguments(rule, item, allowed)


def _arguments(rule: Rule, literal: Literal, allowed: frozenset[Term]) -> Iterator[Diagnostic]:
    for argument, place in zip(literal.args, argument_forms(rule, literal), strict=True):
        if not argument.is_ground and argument not in allowed:
            yield finding(
                "recursion",
                place.span,
                f"argument {as_written(place)} of the recursive condition "
                f"'{literal.relation.name}' may "
                "grow without bound; it must be ground, or an argument of the head or of a "
                "condition that is not recursive",
            )


_ANY_STATE = ("legal", "goal", "terminal")  # hold in a state, before any role has moved
_NO_STATE = ("init", "base", "input")  # hold before any state exists


def check_dependence(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Find keywords whose rules need a state or moves that do not exist yet."""
    for name in _ANY_STATE:
        for rule, literal in _conditions(rulesheet, name, DependsOn.MOVES):
            yield finding(
                "depends-on-moves",
                symbol_span(rule, literal.span),
                f"'{name}' depends on 'does'{_through(literal, 'does')}, but no role has moved "
                "yet; let 'next' keep what happened and ask for it with 'true'",
            )
    for name in _NO_STATE:
        for rule, literal in _conditions(rulesheet, name, DependsOn.STATE):
            needed = rulesheet.graph.dependence(literal.relation)
            keyword = "does" if needed is DependsOn.MOVES else "true"
            yield finding(
                "depends-on-state",
                symbol_span(rule, literal.span),
                f"'{name}' depends on '{keyword}'{_through(literal, keyword)}, but it "
                "must be the same in every state; use relations that do not change",
            )


def _conditions(
    rulesheet: Rulesheet, name: str, least: DependsOn
) -> Iterator[tuple[Rule, Literal]]:
    for rule in rulesheet.definitions.get(Relation(name, RESERVED[name]), ()):
        for literal in literals(rule.body):
            if rulesheet.graph.dependence(literal.relation) >= least:
                yield rule, literal


def _through(literal: Literal, keyword: str) -> str:
    name = literal.relation.name
    return "" if name == keyword else f" through '{name}'"


# A variable and its side, so that `?x` on the left differs from `?x` on the right.
_Bindings = dict[tuple[Variable, int], tuple[Term, int]]

_MAX_STEPS = 5000  # shared variables can take exponential time, and rulesheets are untrusted


def may_unify(left: Term, right: Term) -> bool:
    """Return whether the two terms may have a common instance.

    If the answer is False, they certainly have none. True may be wrong, because there is no occurs
    check and the comparison stops after `_MAX_STEPS` steps.
    """
    bindings: _Bindings = {}
    waiting: list[tuple[Term, int, Term, int]] = [(left, 0, right, 1)]
    for _ in range(_MAX_STEPS):
        if not waiting:
            return True
        first, first_side, second, second_side = waiting.pop()
        first, first_side = _value(first, first_side, bindings)
        second, second_side = _value(second, second_side, bindings)
        if first is second and (first_side == second_side or first.is_ground):
            continue
        if isinstance(first, Variable):
            bindings[first, first_side] = (second, second_side)
        elif isinstance(second, Variable):
            bindings[second, second_side] = (first, first_side)
        elif isinstance(first, Compound) and is_alike(second, first):
            waiting.extend(
                (one, first_side, other, second_side)
                for one, other in zip(first.args, second.args, strict=True)
            )
        else:
            return False
    return True


def _value(term: Term, side: int, bindings: _Bindings) -> tuple[Term, int]:
    while isinstance(term, Variable) and (term, side) in bindings:
        term, side = bindings[term, side]
    return term, side
