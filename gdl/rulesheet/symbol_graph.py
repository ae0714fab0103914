"""Graph of a rulesheet's symbols and their occurrences, and colour refinement on it.

The nodes are the symbols and the rules, and the conditions, compounds and variables of each rule.
The edges say what occurs where. The graph contains neither the order of rules and conditions nor
any name without a meaning in GDL. So colours distinguish symbols by what the rules do with them.

The refinement is that of Weisfeiler and Leman, "The reduction of a graph to canonical form and the
algebra which appears therein", 1968. A colour is a 64-bit number that depends only on its meaning,
so it is the same in every rulesheet and every process.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray

from gdl.rulesheet.rules import Body, Comparison, Disjunction, Item, Literal, Rule
from gdl.terms import Compound, Constant, Term, Variable

Colours = NDArray[np.uint64]

WORK_OF_A_NODE = 3
WORK_OF_A_ROUND = 2000

_FACTORS = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_SHIFTS = np.uint64(30), np.uint64(27), np.uint64(31)
ODD = np.uint64(0x9E3779B97F4A7C15)


class SymbolGraph:
    """Graph of symbols with `N` nodes.

    Attributes:
        symbols: The node of each symbol whose name has no meaning in GDL.
        variables: For each rule, the node of each of its variables.
        colours: `[N]` the colours before any refinement.
    """

    def __init__(self, rules: Iterable[Rule], fixed: Iterable[str]) -> None:
        """Build the graph of some rules. Symbols in `fixed` are distinguished by their names."""
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
        """Cost of one round of refinement, in edges visited."""
        return len(self._targets) + WORK_OF_A_NODE * len(self._kinds) + WORK_OF_A_ROUND

    def refine(self, colours: Colours, most_rounds: int) -> tuple[Colours, int]:
        """Refine colours until a round separates no more nodes, or for `most_rounds` rounds.

        Return the colours and the number of rounds.
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
    """Map each number to another 64-bit number that looks random. The mapping is one to one."""
    first, second, third = _SHIFTS
    numbers = (numbers ^ (numbers >> first)) * _FACTORS[0]
    numbers = (numbers ^ (numbers >> second)) * _FACTORS[1]
    found: Colours = numbers ^ (numbers >> third)
    return found
