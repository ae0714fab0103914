"""Variables of a rule that can replace each other, because their places share a domain."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from gdl.lazy import lazy_property
from gdl.rulesheet import Rule, Rulesheet
from gdl.rulesheet.flow import ArgumentFlow, Place
from gdl.rulesheet.rules import literals
from gdl.terms import Compound, Term, Variable


class FittingVariables:
    """Finder of variables that fit a place. It reads the rules only when it is first asked."""

    def __init__(self, rulesheet: Rulesheet) -> None:
        self.rulesheet = rulesheet

    @lazy_property
    def _domain_of(self) -> dict[Place, int]:
        domains = ArgumentFlow(self.rulesheet.rules).domains()
        return {place: number for number, one in enumerate(domains) for place in one.places}

    def of(self, variable: Variable, rule: Rule, among: Collection[Variable]) -> list[Variable]:
        """Return the variables in `among` that may stand where `variable` does, sorted by name."""
        domains: dict[Variable, set[int]] = {}
        for place, found in variable_places(rule):
            domains.setdefault(found, set()).add(self._domain_of[place])
        own = domains.get(variable, set())
        fitting = [other for other in among if own & domains.get(other, set())]
        return sorted(fitting, key=lambda other: other.name)


def variable_places(rule: Rule) -> Iterator[tuple[Place, Variable]]:
    """Yield the variables in the head and the conditions of a rule, with the place of each."""
    for atom in (rule.head, *(literal.atom for literal in literals(rule.body))):
        yield from _places(atom)


def _places(term: Term) -> Iterator[tuple[Place, Variable]]:
    if not isinstance(term, Compound):
        return
    for number, arg in enumerate(term.args):
        if isinstance(arg, Variable):
            yield Place(term.name, len(term.args), number), arg
        else:
            yield from _places(arg)
