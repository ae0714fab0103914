"""Which relation depends on which: components, strata, and what depends on state or moves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from enum import IntEnum

from gdl.rulesheet.components import Components
from gdl.rulesheet.rules import Relation, Rule, literals

TRUE = Relation("true", 1)
DOES = Relation("does", 2)


class DependsOn(IntEnum):
    """Dependence of the truth of a relation: on the rules alone, on the state or on the moves."""

    RULES = 0  # the same in every state: may be computed once
    STATE = 1  # on `true`
    MOVES = 2  # on `does`, and perhaps on `true`


class DependencyGraph:
    """The relations of a rulesheet and the relations in the bodies of their rules.

    Attributes:
        callees: For each relation those in its bodies, each with whether it is ever negated.
        components: Groups of relations that depend on each other, after all they depend on.
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        self.callees: dict[Relation, dict[Relation, bool]] = {TRUE: {}, DOES: {}}
        for rule in rules:
            called = self.callees.setdefault(rule.relation, {})
            for literal in literals(rule.body):
                relation = literal.relation
                self.callees.setdefault(relation, {})
                called[relation] = called.get(relation, False) or not literal.is_positive
        self.components = tuple(Components(self.callees).find())
        self._component_index = {
            relation: index
            for index, component in enumerate(self.components)
            for relation in component
        }
        self._dependence = self._find_dependence()
        self._strata = self._find_strata()

    def _find_dependence(self) -> dict[Relation, DependsOn]:
        found: dict[Relation, DependsOn] = {}
        for component in self.components:
            own = DependsOn.RULES
            for relation in component:
                if relation in (TRUE, DOES):
                    own = DependsOn.STATE if relation == TRUE else DependsOn.MOVES
                for callee in self.callees[relation]:
                    own = max(own, found.get(callee, DependsOn.RULES))
            found.update(dict.fromkeys(component, own))
        return found

    def _find_strata(self) -> dict[Relation, int]:
        found: dict[Relation, int] = {}
        for component in self.components:
            levels = (
                found[callee] + is_negated
                for relation in component
                for callee, is_negated in self.callees[relation].items()
                if callee in found
            )
            found.update(dict.fromkeys(component, max(levels, default=0)))
        return found

    def dependence(self, relation: Relation) -> DependsOn:
        """Dependence of the relation; a relation nobody defines depends on nothing."""
        return self._dependence.get(relation, DependsOn.RULES)

    def stratum(self, relation: Relation) -> int:
        """Number of negations below the relation on the longest way down."""
        return self._strata.get(relation, 0)

    def is_recursive(self, relation: Relation) -> bool:
        """Whether the relation depends on itself."""
        callees = self.callees.get(relation, {})
        return relation in callees or len(self.component(relation)) > 1

    def component(self, relation: Relation) -> tuple[Relation, ...]:
        """The relations that depend on this one and on which it depends, itself included."""
        index = self._component_index.get(relation)
        return (relation,) if index is None else self.components[index]

    def share_component(self, first: Relation, second: Relation) -> bool:
        """Whether two relations depend on each other."""
        index = self._component_index.get(first)
        return index is not None and index == self._component_index.get(second)

    def negative_cycles(self) -> Iterator[tuple[Relation, Relation]]:
        """Pairs (relation, negated relation of its bodies) that lie on a common cycle."""
        for relation, callees in self.callees.items():
            for callee, is_negated in callees.items():
                if is_negated and self.share_component(relation, callee):
                    yield relation, callee

    def reachable(self, relations: Iterable[Relation]) -> set[Relation]:
        """The given relations and everything they depend on."""
        found: set[Relation] = set()
        waiting = list(relations)
        while waiting:
            relation = waiting.pop()
            if relation not in found:
                found.add(relation)
                waiting.extend(self.callees.get(relation, ()))
        return found
