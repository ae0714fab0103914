"""Canonical form of a rulesheet: the same for all rulesheets that differ only in names and order.

Symbols and variables get numbers instead of names, and rules and conditions are put in order. Both
depend only on what the rules say. Names that have a meaning in GDL stay as they are: keywords, and
numbers that may be goals.

Colours (`gdl.rulesheet.symbol_graph`) decide which number a symbol gets. If several symbols have
the same colour, one of them gets a new colour and the colours are refined again. There are several
ways to do this, and the least resulting colouring counts (McKay, "Practical graph isomorphism",
1981). Among choices that symmetries map to each other, only one is tried. The work is limited, so
some rulesheets have no canonical form.
"""

from __future__ import annotations

import hashlib
import itertools
import math
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from gdl.rulesheet.rules import KEYWORDS, Comparison, Disjunction, Item, Literal, Relation, Rule
from gdl.terms import Compound, Constant, Term, Variable
from gdl.tokens import NUMBER, WORD

if TYPE_CHECKING:  # so that reading rules does not import numpy
    from gdl.rulesheet.symbol_graph import Colours, SymbolGraph

MAX_WORK = 40_000_000  # edges visited; about a second at most
SYMBOL_WORK = 10  # work per symbol, each time one of them gets a colour of its own
MAX_DEPTH = 200  # nested choices of a symbol that gets a colour of its own
MAX_ORDERS = 5040  # orders to try for the variables of one rule
GOAL = Relation("goal", 2)


@dataclass(frozen=True, slots=True)
class CanonicalForm:
    """Canonical form of a rulesheet."""

    digest: str  # digest of the canonical text; the same for the same game under other names
    shape: str  # a quick digest, also the same for the same game
    symbols: tuple[str, ...]  # the symbols of the rulesheet in the order of their numbers

    def names_in(self, other: CanonicalForm) -> dict[str, str]:
        """Map each symbol to its name in another rulesheet that has the same form."""
        assert self.digest == other.digest
        return dict(zip(self.symbols, other.symbols, strict=True))


def renamed(text: str, names: Mapping[str, str]) -> str:
    """Return a term's text with symbols replaced. Symbols that are not in `names` stay.

    >>> renamed("(cell 1 2 b)", {"cell": "field", "b": "empty"})
    '(field 1 2 empty)'
    """
    return WORD.sub(lambda found: names.get(found[0], found[0]), text)


def shape(rules: Iterable[Rule]) -> str:
    """Return a digest of rules that is quick to compute and ignores names and order.

    Rulesheets of different shapes have different canonical forms.
    """
    counts = sorted((len(rule.body), rule.head.size, not rule.head.is_ground) for rule in rules)
    return hashlib.sha256(repr(counts).encode()).hexdigest()[:16]


def canonical_form(rules: tuple[Rule, ...], most_work: int = MAX_WORK) -> CanonicalForm | None:
    """Return the canonical form of rules, or None if finding it exceeds the limits."""
    found = canonical_text(rules, most_work)
    if found is None:
        return None
    text, symbols = found
    digest = hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
    return CanonicalForm(digest, shape(rules), symbols)


def canonical_text(rules: tuple[Rule, ...], most_work: int) -> tuple[str, tuple[str, ...]] | None:
    """Return the canonical text of rules, and their symbols in the order of their numbers.

    Return None if there are no rules, or if the work exceeds the limits.
    """
    from gdl.rulesheet.symbol_graph import SymbolGraph

    if not rules:
        return None
    graph = SymbolGraph(rules, fixed_symbols(rules))
    try:
        colours = _Search(graph, most_work).least()
        symbols = tuple(sorted(graph.symbols, key=lambda name: int(colours[graph.symbols[name]])))
        numbers = {name: f"@{number}" for number, name in enumerate(symbols)}
        texts = [
            _Writer(numbers, rule).least(
                {variable: int(colours[node]) for variable, node in variables.items()}
            )
            for rule, variables in zip(rules, graph.variables, strict=True)
        ]
    except _TooMuchWorkError:
        return None
    return "\n".join(sorted(texts)), symbols


def fixed_symbols(rules: tuple[Rule, ...]) -> frozenset[str]:
    """Return the symbols whose names have a meaning: keywords, and numbers that may be goals."""
    numbers: set[str] = set()
    is_known = True
    for rule in rules:
        if rule.relation == GOAL:
            assert isinstance(rule.head, Compound)
            value = rule.head.args[1]
            numbers.add(str(value))
            is_known &= isinstance(value, Constant)
    if not is_known:  # goals are computed, so any number may be one
        numbers = {name for rule in rules for name in WORD.findall(str(rule))}
    return KEYWORDS | {name for name in numbers if NUMBER.fullmatch(name)}


class _TooMuchWorkError(Exception):
    pass


class _Search:
    def __init__(self, graph: SymbolGraph, most_work: int) -> None:
        self._graph = graph
        self._work = most_work
        self._symbols = sorted(graph.symbols.values())

    def least(self) -> Colours:
        return self._least(self._refined(self._graph.colours))[0]

    def _least(self, colours: Colours, depth: int = 0) -> tuple[Colours, list[Colours]]:
        """Return the least complete colouring that refines `colours`.

        Also return other complete colourings that are equal to it up to a symmetry.
        """
        cell = self._cell(colours)
        if not cell:
            return colours, []
        if depth == MAX_DEPTH:
            raise _TooMuchWorkError
        orbits = _Orbits()
        best: Colours | None = None
        best_keys = 0, 0
        images: list[Colours] = []
        for number, node in enumerate(cell):
            if any(orbits.are_one(node, other) for other in cell[:number]):
                continue  # a symmetry maps this node to one that was already tried
            following = self._refined(self._marked(colours, node))
            key = _key(following)
            if best is not None and key > best_keys[0]:
                continue
            if best is not None and key == best_keys[0]:
                image = self._any(following)
                if _key(image) == best_keys[1]:
                    self._join(orbits, best, image)
                    images.append(image)
                    continue
            least, others = self._least(following, depth + 1)
            for image in others:
                self._join(orbits, least, image)
            keys = key, _key(least)
            if best is None or keys < best_keys:
                best, best_keys, images = least, keys, others
        assert best is not None
        return best, images

    def _any(self, colours: Colours) -> Colours:
        while cell := self._cell(colours):
            colours = self._refined(self._marked(colours, cell[0]))
        return colours

    def _cell(self, colours: Colours) -> list[int]:
        groups: dict[int, list[int]] = {}
        for node, colour in zip(self._symbols, colours[self._symbols].tolist(), strict=True):
            groups.setdefault(colour, []).append(node)
        ties = [(len(nodes), colour) for colour, nodes in groups.items() if len(nodes) > 1]
        return groups[min(ties)[1]] if ties else []

    def _marked(self, colours: Colours, node: int) -> Colours:
        found = colours.copy()
        found[node] = ~found[node]
        return found

    def _refined(self, colours: Colours) -> Colours:
        self._work -= SYMBOL_WORK * len(self._symbols)
        found, rounds = self._graph.refine(colours, self._work // self._graph.work)
        self._work -= rounds * self._graph.work
        if self._work < 0:
            raise _TooMuchWorkError
        return found

    def _join(self, orbits: _Orbits, first: Colours, second: Colours) -> None:
        """Record which symbols a symmetry maps to each other.

        `first` and `second` are complete colourings of the graph that differ only by the symmetry.
        It maps each symbol to the one that has the same colour in the other colouring.
        """
        node_of = dict(zip(second[self._symbols].tolist(), self._symbols, strict=True))
        for node, colour in zip(self._symbols, first[self._symbols].tolist(), strict=True):
            if colour in node_of:
                orbits.join(node, node_of[colour])


def _key(colours: Colours) -> int:
    """Return a number that distinguishes coloured graphs but ignores the order of their nodes."""
    from gdl.rulesheet.symbol_graph import mixed

    return int(mixed(colours).sum())


class _Orbits:
    def __init__(self) -> None:
        self._upper: dict[int, int] = {}

    def _top(self, node: int) -> int:
        while node in self._upper:
            node = self._upper[node]
        return node

    def are_one(self, first: int, second: int) -> bool:
        return self._top(first) == self._top(second)

    def join(self, first: int, second: int) -> None:
        first, second = self._top(first), self._top(second)
        if first != second:
            self._upper[first] = second


class _Writer:
    def __init__(self, numbers: Mapping[str, str], rule: Rule) -> None:
        self._numbers = numbers
        self._rule = rule
        self._variables: dict[Variable, str] = {}

    def least(self, colours: Mapping[Variable, int]) -> str:
        cells: dict[int, list[Variable]] = {}
        for variable, colour in sorted(colours.items(), key=lambda item: item[1]):
            cells.setdefault(colour, []).append(variable)
        if math.prod(math.factorial(len(cell)) for cell in cells.values()) > MAX_ORDERS:
            raise _TooMuchWorkError
        return min(self._texts(list(cells.values())))

    def _texts(self, cells: list[list[Variable]]) -> Iterator[str]:
        for orders in itertools.product(*map(itertools.permutations, cells)):
            found = itertools.chain.from_iterable(orders)
            self._variables = {variable: f"?{number}" for number, variable in enumerate(found)}
            yield self._of_items("<=", [self._of_term(self._rule.head)], self._rule.body)

    def _of_items(self, word: str, first: list[str], items: Iterable[Item]) -> str:
        return f"({' '.join([word, *first, *sorted(map(self._of_item, items))])})"

    def _of_item(self, item: Item) -> str:
        if isinstance(item, Literal):
            atom = self._of_term(item.atom)
            return atom if item.is_positive else f"(not {atom})"
        if isinstance(item, Comparison):
            sides = sorted((self._of_term(item.left), self._of_term(item.right)))
            return f"({'distinct' if item.is_distinct else 'same'} {' '.join(sides)})"
        assert isinstance(item, Disjunction)
        branches = sorted(self._of_items("and", [], branch) for branch in item.branches)
        return f"({' '.join(['or', *branches])})"

    def _of_term(self, term: Term) -> str:
        if isinstance(term, Variable):
            return self._variables[term]
        if isinstance(term, Compound):
            return f"({' '.join([self._of_name(term.name), *map(self._of_term, term.args)])})"
        assert isinstance(term, Constant)
        return self._of_name(term.name)

    def _of_name(self, name: str) -> str:
        return self._numbers.get(name, name)
