"""Dependency graph: each relation points to the relations in the bodies of its rules."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping
from enum import IntEnum
from typing import Generic, TypeVar

from gdl.rulesheet.rules import Relation, Rule, literals

Node = TypeVar("Node", bound=Hashable)


class Components(Generic[Node]):
    """Strongly connected components of a graph in which every node has an entry.

    The algorithm is Tarjan's, "Depth-first search and linear graph algorithms", SIAM J. Comput.
    1972. It is not recursive, because rulesheets are untrusted.
    """

    def __init__(self, successors: Mapping[Node, Iterable[Node]]) -> None:
        self._successors = successors
        self._order: dict[Node, int] = {}
        self._lowest: dict[Node, int] = {}
        self._path: list[Node] = []
        self._on_path: set[Node] = set()
        self._work: list[tuple[Node, Iterator[Node]]] = []

    def find(self) -> Iterator[tuple[Node, ...]]:
        """Yield the components, each after all components that it can reach."""
        for root in self._successors:
            if root not in self._order:
                self._enter(root)
                yield from self._walk()

    def _walk(self) -> Iterator[tuple[Node, ...]]:
        while self._work:
            node, rest = self._work[-1]
            successor = next(rest, None)
            if successor is None:
                yield from self._leave(node)
            elif successor not in self._order:
                self._enter(successor)
            elif successor in self._on_path:
                self._lower(node, self._order[successor])

    def _enter(self, node: Node) -> None:
        self._order[node] = self._lowest[node] = len(self._order)
        self._path.append(node)
        self._on_path.add(node)
        self._work.append((node, iter(self._successors[node])))

    def _leave(self, node: Node) -> Iterator[tuple[Node, ...]]:
        self._work.pop()
        if self._work:
            self._lower(self._work[-1][0], self._lowest[node])
        if self._lowest[node] == self._order[node]:
            component = [self._take()]
            while component[-1] != node:
                component.append(self._take())
            yield tuple(component)

    def _take(self) -> Node:
        node = self._path.pop()
        self._on_path.discard(node)
        return node

    def _lower(self, node: Node, value: int) -> None:
        self._lowest[node] = min(self._lowest[node], value)


TRUE = Relation("true", 1)
DOES = Relation("does", 2)


class DependsOn(IntEnum):
    """Kinds of dependence: a relation depends on the rules only, on the state, or on the moves."""

    RULES = 0  # the same in every state, so it may be computed once
    STATE = 1  # depends on `true`
    MOVES = 2  # depends on `does`, and perhaps on `true`


class DependencyGraph:
    """Relations of a rulesheet, and the relations in the bodies of their rules.

    Attributes:
        callees: For each relation, a mapping of the relations in its bodies to whether they are
            ever negated there.
        components: Groups of relations that depend on each other. Each group comes after all groups
            that it depends on.
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

    def dependence(self, relation: Relation) -> DependsOn:
        """Return what a relation depends on. An undefined relation depends on nothing."""
        return self._dependence.get(relation, DependsOn.RULES)

    def is_recursive(self, relation: Relation) -> bool:
        """Return whether the relation depends on itself."""
        callees = self.callees.get(relation, {})
        return relation in callees or len(self.component(relation)) > 1

    def component(self, relation: Relation) -> tuple[Relation, ...]:
        """Return this relation and all others that it depends on and that depend on it."""
        index = self._component_index.get(relation)
        return (relation,) if index is None else self.components[index]

    def share_component(self, first: Relation, second: Relation) -> bool:
        """Return whether two relations depend on each other."""
        index = self._component_index.get(first)
        return index is not None and index == self._component_index.get(second)

    def negative_cycles(self) -> Iterator[tuple[Relation, Relation]]:
        """Yield pairs of a relation and one negated in its rules, if both lie on a common cycle."""
        for relation, callees in self.callees.items():
            for callee, is_negated in callees.items():
                if is_negated and self.share_component(relation, callee):
                    yield relation, callee

    def reachable(self, relations: Iterable[Relation]) -> set[Relation]:
        """Return the given relations and all relations that they depend on."""
        found: set[Relation] = set()
        waiting = list(relations)
        while waiting:
            relation = waiting.pop()
            if relation not in found:
                found.add(relation)
                waiting.extend(self.callees.get(relation, ()))
        return found
