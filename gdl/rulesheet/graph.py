"""Graphs of a rulesheet: of its relations and their components, and of its symbols.

The nodes of the graph of symbols are the symbols, the rules, and within each rule its conditions,
compounds and variables; an edge says what stands where. The order of rules and conditions is not in
it, nor any name but those that GDL gives a meaning, so colours tell symbols apart by what the rules
do with them. They are refined after Weisfeiler and Leman, "The reduction of a graph to canonical
form and the algebra which appears therein", 1968. A colour is a number of 64 bits that depends on
what it means alone, so the same in each rulesheet and each process.
"""

from __future__ import annotations

import hashlib
from collections.abc import Hashable, Iterable, Iterator, Mapping
from enum import IntEnum
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from gdl.rulesheet.rules import (
    Body,
    Comparison,
    Disjunction,
    Item,
    Literal,
    Relation,
    Rule,
    literals,
)
from gdl.terms import Compound, Constant, Term, Variable

Node = TypeVar("Node", bound=Hashable)


class Components(Generic[Node]):
    """One walk over a graph, in which every node has an entry.

    Strongly connected components by Tarjan, "Depth-first search and linear graph algorithms", SIAM
    J. Comput. 1972, without recursion because rulesheets come from strangers.
    """

    def __init__(self, successors: Mapping[Node, Iterable[Node]]) -> None:
        self._successors = successors
        self._order: dict[Node, int] = {}
        self._lowest: dict[Node, int] = {}
        self._path: list[Node] = []
        self._on_path: set[Node] = set()
        self._work: list[tuple[Node, Iterator[Node]]] = []

    def find(self) -> Iterator[tuple[Node, ...]]:
        """The components; each comes after all that it leads to."""
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
        """Dependence of the relation; a relation nobody defines depends on nothing."""
        return self._dependence.get(relation, DependsOn.RULES)

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


Colours = NDArray[np.uint64]

WORK_OF_A_NODE = 3
WORK_OF_A_ROUND = 2000

_FACTORS = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_SHIFTS = np.uint64(30), np.uint64(27), np.uint64(31)
ODD = np.uint64(0x9E3779B97F4A7C15)


class SymbolGraph:
    """A graph of symbols. `N` nodes.

    Attributes:
        symbols: The node of each symbol that may have any name.
        variables: The node of each variable, for each rule.
        colours: `[N]` before any refinement.
    """

    def __init__(self, rules: Iterable[Rule], fixed: Iterable[str]) -> None:
        """The graph of rules; the `fixed` symbols are known by their names."""
        self._fixed = frozenset(fixed)
        self._kinds: list[int] = []
        self._edges: list[tuple[int, int, int]] = []
        self._names: dict[str, int] = {}
        self._colour_of: dict[str, int] = {}
        self.variables: list[dict[Variable, int]] = []
        for rule in rules:
            self._add_rule(rule)
        self.symbols = {name: node for name, node in self._names.items() if name not in self._fixed}
        self.colours: Colours = np.array(self._kinds, np.uint64)
        self._arrange()

    def _add_rule(self, rule: Rule) -> None:
        self.variables.append({})
        node = self._node("rule")
        self._link(node, self._term(rule.head), "head")
        self._add_body(node, rule.body)

    def _add_body(self, parent: int, body: Body) -> None:
        for item in body:
            self._add_item(parent, item)

    def _add_item(self, parent: int, item: Item) -> None:
        if isinstance(item, Literal):
            self._link(parent, self._term(item.atom), "is" if item.is_positive else "is not")
        elif isinstance(item, Comparison):
            node = self._node("distinct" if item.is_distinct else "same")
            self._link(parent, node, "item")
            for side in (item.left, item.right):
                self._link(node, self._term(side), "side")
        else:
            assert isinstance(item, Disjunction)
            node = self._node("or")
            self._link(parent, node, "item")
            for branch in item.branches:
                part = self._node("and")
                self._link(node, part, "branch")
                self._add_body(part, branch)

    def _term(self, term: Term) -> int:
        if isinstance(term, Variable):
            known = self.variables[-1]
            if term not in known:
                known[term] = self._node("variable")
            return known[term]
        if isinstance(term, Constant):
            return self._symbol(term.name)
        assert isinstance(term, Compound)
        node = self._node("compound")
        self._link(node, self._symbol(term.name), "name")
        for place, arg in enumerate(term.args):
            self._link(node, self._term(arg), f"argument {place}")
        return node

    def _symbol(self, name: str) -> int:
        if name not in self._names:
            self._names[name] = self._node(f"named {name}" if name in self._fixed else "symbol")
        return self._names[name]

    def _node(self, kind: str) -> int:
        self._kinds.append(self._colour(kind))
        return len(self._kinds) - 1

    def _link(self, upper: int, lower: int, place: str) -> None:
        self._edges.append((upper, lower, self._colour(f"down, {place}")))
        self._edges.append((lower, upper, self._colour(f"up, {place}")))

    def _colour(self, meaning: str) -> int:
        if meaning not in self._colour_of:
            first = hashlib.sha256(meaning.encode("utf-8", "surrogatepass")).digest()[:8]
            self._colour_of[meaning] = int.from_bytes(first, "little")
        return self._colour_of[meaning]

    def _arrange(self) -> None:
        edges = np.array(self._edges, np.uint64).reshape(-1, 3)
        sources = edges[:, 0].astype(np.int64)
        order = np.argsort(sources, kind="stable")
        self._starts = np.searchsorted(sources[order], np.arange(len(self._kinds)))
        self._targets = edges[order, 1].astype(np.int64)
        self._labels = edges[order, 2]

    @property
    def work(self) -> int:
        """The work of a round of refinement, in edges looked at."""
        return len(self._targets) + WORK_OF_A_NODE * len(self._kinds) + WORK_OF_A_ROUND

    def refine(self, colours: Colours, most_rounds: int) -> tuple[Colours, int]:
        """The colours when no round tells more nodes apart, and how many rounds it took.

        After `most_rounds` it ends, whatever there is to tell apart.
        """
        num, rounds = len(np.unique(colours)), 0
        while rounds <= most_rounds:
            seen = mixed(colours[self._targets] ^ self._labels)
            colours = mixed(colours * ODD + np.add.reduceat(seen, self._starts))
            found, rounds = len(np.unique(colours)), rounds + 1
            if found <= num:
                return colours, rounds
            num = found
        return colours, rounds


def mixed(numbers: Colours) -> Colours:
    """The numbers scattered over all of 64 bits, each in a way of its own."""
    first, second, third = _SHIFTS
    numbers = (numbers ^ (numbers >> first)) * _FACTORS[0]
    numbers = (numbers ^ (numbers >> second)) * _FACTORS[1]
    found: Colours = numbers ^ (numbers >> third)
    return found
