"""Domains of argument places: which constants may occur where, because variables carry them.

Two places belong to the same domain if a variable of some rule occurs at both. They also do if GDL
passes values from one to the other, for example from `next` to `true`. Domains contain more than a
game can reach, but computing them takes only one pass over the rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import NamedTuple

from gdl.rulesheet.rules import Body, Comparison, Disjunction, Literal, Rule
from gdl.terms import Compound, Term, Variable


class Place(NamedTuple):
    """Argument place of a relation or function symbol, numbered from 0."""

    name: str
    arity: int
    number: int


GOAL_VALUE = Place("goal", 2, 1)
ROLE = Place("role", 1, 0)

# The places in each line exchange values.
_HANDED_ON = (
    (Place("true", 1, 0), Place("init", 1, 0), Place("next", 1, 0), Place("base", 1, 0)),
    (ROLE, *(Place(name, 2, 0) for name in ("does", "legal", "input", "goal", "sees"))),
    (Place("does", 2, 1), Place("legal", 2, 1), Place("input", 2, 1)),
)


class _VariableOf(NamedTuple):
    rule: int
    variable: Variable


class _Side(NamedTuple):
    """Node that connects two terms which a rule requires to be equal."""

    number: int


_Node = Place | _VariableOf | _Side


@dataclass(frozen=True, slots=True)
class Domain:
    """Argument places that exchange terms through variables, and the constants that occur there."""

    places: frozenset[Place]
    constants: frozenset[str]


class ArgumentFlow:
    """Domains of the argument places in some rules."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        self._upper: dict[_Node, _Node] = {}
        self._constants: dict[str, set[_Node]] = {}
        self._num_sides = 0
        for first, *others in _HANDED_ON:
            for other in others:
                self._join(first, other)
        for number, rule in enumerate(rules):
            self._add_arguments(rule.head, number)
            self._add_body(rule.body, number)

    def domains(self) -> list[Domain]:
        """Return all domains, in an order that depends only on the rules. Each place is in one."""
        places: dict[_Node, set[Place]] = {}
        for node in self._upper:
            if isinstance(node, Place):
                places.setdefault(self._top(node), set()).add(node)
        constants: dict[_Node, set[str]] = {}
        for name, nodes in self._constants.items():
            for node in nodes:
                constants.setdefault(self._top(node), set()).add(name)
        return [
            Domain(frozenset(found), frozenset(constants.get(top, ())))
            for top, found in places.items()
        ]

    def domain(self, place: Place) -> Domain:
        """Return the domain of a place, which has no constants if no rule contains the place."""
        for found in self.domains():
            if place in found.places:
                return found
        return Domain(frozenset({place}), frozenset())

    def _add_body(self, body: Body, rule: int) -> None:
        for item in body:
            if isinstance(item, Literal):
                self._add_arguments(item.atom, rule)
            elif isinstance(item, Comparison):
                self._add_comparison(item, rule)
            else:
                assert isinstance(item, Disjunction)
                for branch in item.branches:
                    self._add_body(branch, rule)

    def _add_comparison(self, comparison: Comparison, rule: int) -> None:
        """Join the two sides of an equality, but not those of a `distinct` condition."""
        for term in (comparison.left, comparison.right):
            self._num_sides += comparison.is_distinct
            self._add(_Side(self._num_sides), term, rule)
        self._num_sides += 1

    def _add_arguments(self, term: Term, rule: int) -> None:
        if isinstance(term, Compound):
            for number, argument in enumerate(term.args):
                self._add(Place(term.name, len(term.args), number), argument, rule)

    def _add(self, node: _Node, term: Term, rule: int) -> None:
        self._upper.setdefault(node, node)
        if isinstance(term, Variable):
            self._join(node, _VariableOf(rule, term))
        elif isinstance(term, Compound):
            self._add_arguments(term, rule)
        else:
            self._constants.setdefault(str(term), set()).add(node)

    def _top(self, node: _Node) -> _Node:
        while (upper := self._upper.setdefault(node, node)) != node:
            self._upper[node] = self._upper[upper]
            node = upper
        return node

    def _join(self, first: _Node, second: _Node) -> None:
        self._upper[self._top(first)] = self._top(second)
