"""The slow, obvious twin of the interpreter: the whole model, bottom-up, by trying everything.

Every variable of a rule is tried with every constant of the program until nothing new is found,
after all relations on which its own depends. It shares only the reader and the dependency graph
with the interpreter.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import product

from gdl.rulesheet import Comparison, Disjunction, Item, Literal, Rule, Rulesheet
from gdl.rulesheet.rules import item_variables
from gdl.terms import Compound, Constant, Term, Variable, substitute, variables


def model(
    rulesheet: Rulesheet, state: Iterable[Term] = (), moves: dict[Constant, Term] | None = None
) -> set[Term]:
    """Every atom that holds in a state when these moves are made."""
    holds: set[Term] = {Compound("true", (fact,)) for fact in state}
    holds |= {Compound("does", (role, move)) for role, move in (moves or {}).items()}
    values = sorted(
        {part for atom in _atoms(rulesheet, holds) for part in _constants(atom)}, key=str
    )
    for component in rulesheet.graph.components:
        rules = [rule for rule in rulesheet.rules if rule.relation in component]
        before = -1
        while len(holds) != before:
            before = len(holds)
            for rule in rules:
                holds |= set(_consequences(rule, holds, values))
    return holds


def _consequences(rule: Rule, holds: set[Term], values: list[Term]) -> Iterable[Term]:
    names = sorted(variables(rule.head).union(*map(item_variables, rule.body)), key=str)
    for choice in product(values, repeat=len(names)):
        bindings = dict(zip(names, choice, strict=True))
        if all(_is_true(item, bindings, holds) for item in rule.body):
            yield substitute(rule.head, bindings)


def _is_true(item: Item, bindings: dict[Variable, Term], holds: set[Term]) -> bool:
    if isinstance(item, Literal):
        return (substitute(item.atom, bindings) in holds) == item.is_positive
    if isinstance(item, Comparison):
        same = substitute(item.left, bindings) is substitute(item.right, bindings)
        return same != item.is_distinct
    assert isinstance(item, Disjunction)
    return any(all(_is_true(part, bindings, holds) for part in branch) for branch in item.branches)


def _atoms(rulesheet: Rulesheet, holds: set[Term]) -> Iterable[Term]:
    yield from holds
    for rule in rulesheet.rules:
        yield rule.head
        yield from _body_terms(rule.body)


def _body_terms(body: Iterable[Item]) -> Iterable[Term]:
    for item in body:
        if isinstance(item, Literal):
            yield item.atom
        elif isinstance(item, Comparison):
            yield from (item.left, item.right)
        else:
            for branch in item.branches:
                yield from _body_terms(branch)


def _constants(atom: Term) -> Iterable[Term]:
    if isinstance(atom, Compound):
        for arg in atom.args:
            yield from _constants(arg) if isinstance(arg, Compound) else [arg]
    elif isinstance(atom, Constant):
        yield atom
