"""Checks of dependence on the state and on the moves."""

from __future__ import annotations

from collections.abc import Iterator

from gdl.check.diagnostic import Diagnostic, finding
from gdl.check.source_places import symbol_span
from gdl.rulesheet import RESERVED, DependsOn, Literal, Relation, Rule, Rulesheet
from gdl.rulesheet.rules import literals

_ANY_STATE = ("legal", "goal", "terminal")  # hold in a state, before anybody has moved
_NO_STATE = ("init", "base", "input")  # hold before there is a state


def check_dependence(rulesheet: Rulesheet) -> Iterator[Diagnostic]:
    """Keywords whose rules need a state or moves that do not exist when they are evaluated."""
    for name in _ANY_STATE:
        for rule, literal in _conditions(rulesheet, name, DependsOn.MOVES):
            yield finding(
                "depends-on-moves",
                symbol_span(rule, literal.span),
                f"'{name}' depends on 'does'{_through(literal, 'does')}, but nobody has moved "
                "yet; let 'next' keep what happened and ask for it with 'true'",
            )
    for name in _NO_STATE:
        for rule, literal in _conditions(rulesheet, name, DependsOn.STATE):
            needed = rulesheet.graph.dependence(literal.relation)
            keyword = "does" if needed is DependsOn.MOVES else "true"
            yield finding(
                "depends-on-state",
                symbol_span(rule, literal.span),
                f"'{name}' depends on '{keyword}'{_through(literal, keyword)}, but it must hold "
                "whatever the state; use relations that do not change",
            )


def _conditions(
    rulesheet: Rulesheet, name: str, least: DependsOn
) -> Iterator[tuple[Rule, Literal]]:
    """The conditions of a keyword's rules that depend at least on this."""
    for rule in rulesheet.definitions.get(Relation(name, RESERVED[name]), ()):
        for literal in literals(rule.body):
            if rulesheet.graph.dependence(literal.relation) >= least:
                yield rule, literal


def _through(literal: Literal, keyword: str) -> str:
    name = literal.relation.name
    return "" if name == keyword else f" through '{name}'"
