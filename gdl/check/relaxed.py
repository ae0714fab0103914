"""Rules that keep facts, without the conditions that make exceptions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from gdl.check.asking import keeps, made_by, makers
from gdl.check.diagnostic import keyword_rules
from gdl.interpreter.limits import Limits
from gdl.interpreter.machine import Interpreter
from gdl.rulesheet import (
    Comparison,
    DependsOn,
    Disjunction,
    Item,
    Literal,
    Relation,
    Rule,
    Rulesheet,
)
from gdl.rulesheet.graph import DOES, TRUE
from gdl.rulesheet.rules import item_variables, literals, positive_variables
from gdl.terms import variables

RELAXED_SECONDS = 2.0
_NEXT = Relation("next", 1)


class RelaxedRules:
    """Interpreters of rules that keep more facts than those of the game."""

    def __init__(self, rulesheet: Rulesheet, end: float) -> None:
        self._rulesheet = rulesheet
        self._end = end  # of all evaluations, on the monotonic clock

    @cached_property
    def without_exceptions(self) -> Interpreter:
        """Interpreter that also keeps facts that a rule excepts, and those of `without_cases`."""
        return self._keeping_without(
            lambda it, of: self._is_exception(it, of) or self._is_case(it, of)
        )

    @cached_property
    def without_cases(self) -> Interpreter:
        """Interpreter that also keeps facts in cases for which a rule keeps none, or not all."""
        return self._keeping_without(self._is_case)

    def _keeping_without(self, is_left_out: Callable[[Item, Rule], bool]) -> Interpreter:
        """Return an interpreter of the rules that keep facts, without some of their conditions."""

        def relaxed(rule: Rule) -> Rule:
            body = tuple(item for item in rule.body if not is_left_out(item, rule))
            known = positive_variables(body)
            safe = (x for x in body if _binds(x) or item_variables(x) <= known)
            return Rule(rule.head, tuple(safe), rule.form)

        rules = [rule for rule in self._rulesheet.rules if rule.relation != _NEXT]
        rules += map(relaxed, filter(keeps, keyword_rules(self._rulesheet, "next")))
        sheet = self._rulesheet
        found = Rulesheet(sheet.name, sheet.forms, tuple(rules), (), sheet.spelling)
        return Interpreter(found, Limits(seconds=RELAXED_SECONDS, end=self._end))

    def _is_exception(self, item: Item, rule: Rule) -> bool:
        """Return whether a condition is about the very fact that is kept, and not its kind."""
        own, found = variables(rule.head), item_variables(item)
        if not found & own:
            return False
        if isinstance(item, Disjunction):
            return True
        if isinstance(item, Comparison):
            return not found <= own
        if item.relation in (TRUE, DOES):
            return item.relation == DOES and not item.is_positive
        is_of_moves = self._rulesheet.graph.dependence(item.relation) is DependsOn.MOVES
        return not item.is_positive or not found <= own or is_of_moves

    def _is_case(self, item: Item, rule: Rule) -> bool:
        """Return whether a condition names a case in which the rule keeps no facts, or not all.

        `(not (true (phase burning)))` does. `(distinct ?piece bomb)` in a rule for one case does if
        another rule keeps all pieces in other cases.
        """
        own = variables(rule.head)
        if isinstance(item, Literal):
            return not item.is_positive and not variables(item.atom) & own
        if not isinstance(item, Comparison) or not item.is_distinct:
            return False
        dependence = self._rulesheet.graph.dependence
        asked = [x for x in literals(rule.body) if not variables(x.atom) & own]
        return any(dependence(x.relation) is not DependsOn.RULES for x in asked) and any(
            keeps(other) and not any(isinstance(it, Comparison) for it in other.body)
            for other in makers(self._rulesheet, Relation.of(made_by(rule)))
        )


def _binds(item: Item) -> bool:
    return (isinstance(item, Literal) and item.is_positive) or isinstance(item, Disjunction)
