"""Variables of a rule that may stand for the same things: their places are of one domain."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from gdl.lazy import lazy_property
from gdl.rulesheet import Rule, Rulesheet
from gdl.rulesheet.flow import ArgumentFlow, Place
from gdl.rulesheet.rules import literals
from gdl.terms import Compound, Term, Variable


class FittingVariables:
    """Looks at the rules when it is first asked, as most rulesheets have no need of it."""

    def __init__(self, rulesheet: Rulesheet) -> None:
        self.rulesheet = rulesheet

    @lazy_property
    def _domain_of(self) -> dict[Place, int]:
        domains = ArgumentFlow(self.rulesheet.rules).domains()
        return {place: number for number, one in enumerate(domains) for place in one.places}

    def of(self, variable: Variable, rule: Rule, among: Collection[Variable]) -> list[Variable]:
        """Those of some variables of a rule that may stand where another one does, by name."""
        domains: dict[Variable, set[int]] = {}
        for place, found in variable_places(rule):
            domains.setdefault(found, set()).add(self._domain_of[place])
        own = domains.get(variable, set())
        fitting = [other for other in among if own & domains.get(other, set())]
        return sorted(fitting, key=lambda other: other.name)


def variable_places(rule: Rule) -> Iterator[tuple[Place, Variable]]:
    """The variables of the head and the conditions of a rule, and where each stands."""
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
