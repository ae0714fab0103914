"""Factoring: what alternatives have in common is said once.

    (a & b & x) | (a & b & y) | c   becomes   (a & b & (x | y)) | c

Grounding multiplies out what the rules say once for all: a sum of products has a product for each
value of each variable. A sum is a gate that reads other gates complemented; of those, the ones that
no other gate reads are its products. They are made anew: the literal that most products share is
taken out first; of equals the one that is used least elsewhere, so that what stays behind has the
best chance to be shared with other sums.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.netlist import NO, YES, Netlist
from gdl.circuit.passes.rewrite import outputs, rename_outputs

LARGEST = 300_000  # literals; of more, it takes too long for what is found
DEEPEST = 50  # factors that are taken out of each other

Product = frozenset[int]  # literals


def factor(netlist: Netlist) -> Netlist:
    """The netlist with common factors taken out of its sums of products."""
    if len(netlist.literals) > LARGEST:
        return netlist
    return _Factoring(netlist).result()


class _Gates:
    """Gates under construction, as `gdl.circuit.table` makes them, for Python."""

    def __init__(self, first: int) -> None:
        self.first = first
        self.gates: list[tuple[int, ...]] = []
        self._number: dict[tuple[int, ...], int] = {}

    def make_and(self, literals: Iterable[int]) -> int:
        """The literal of an AND."""
        kept = sorted(set(literals) - {YES})
        if kept and kept[0] == NO:
            return NO
        if any(literal ^ 1 == following for literal, following in pairwise(kept)):
            # Neighbours 2n + 1 and 2n + 2 differ in more than their last bit.
            return NO
        if len(kept) <= 1:
            return kept[0] if kept else YES
        gate = tuple(kept)
        number = self._number.setdefault(gate, len(self.gates))
        if number == len(self.gates):
            self.gates.append(gate)
        return 2 * (self.first + number)


class _Factoring:
    """The work on one netlist. Literals are those of the old netlist unless they are called new."""

    def __init__(self, netlist: Netlist) -> None:
        self._netlist = netlist
        self._first = first = netlist.first_gate
        flat = netlist.literals.tolist()
        self._sources: list[list[int]] = [
            flat[start:end] for start, end in pairwise(netlist.offsets.tolist())
        ]
        num_nodes = first + len(self._sources)
        uses = np.bincount(netlist.literals, minlength=2 * num_nodes)
        self._uses: list[int] = uses.tolist()
        self._is_product = self._products(uses)
        self._owners = self._find_owners()
        self._gates = _Gates(first)
        self._new: list[int] = [2 * node for node in range(first)] + [NO] * len(self._sources)

    def result(self) -> Netlist:
        """The netlist with factors taken out."""
        sums: dict[int, list[Product]] = {}
        needed = self._needed(sums)
        for node in range(self._first, len(self._new)):
            if not needed[node]:
                continue
            sources = self._sources[node - self._first]
            if node in sums:
                sources = [x for x in sources if not self._is_product_of_sum(x)]
                others = [self._renamed(literal) for literal in sources]
                self._new[node] = self._gates.make_and([*others, self._sum(sums[node]) ^ 1])
            else:
                self._new[node] = self._gates.make_and(map(self._renamed, sources))
        gates = self._gates.gates
        offsets = np.cumsum([0, *map(len, gates)]).astype(np.int32)
        literals = np.array([literal for gate in gates for literal in gate], np.int32)
        renamed = rename_outputs(self._netlist, np.array(self._new, np.int32))
        return replace(renamed, offsets=offsets, literals=literals)

    def _renamed(self, literal: int) -> int:
        return self._new[literal >> 1] ^ (literal & 1)

    # --- What is a product, and of which sum ----------------------------------------------------

    def _products(self, uses: NDArray[np.integer]) -> list[bool]:
        """`[nodes]` whether a node is a gate that is read once, by a gate and complemented."""
        found = (uses[0::2] == 0) & (uses[1::2] == 1)
        found[: self._first] = False
        found[outputs(self._netlist) >> 1] = False
        found[self._netlist.feedback >> 1] = False
        products: list[bool] = found.tolist()
        return products

    def _is_product_of_sum(self, literal: int) -> bool:
        return bool(literal & 1) and self._is_product[literal >> 1]

    def _find_owners(self) -> list[int]:
        """`[nodes]` the one sum in whose products alone a node is read, or -1."""
        sum_of = [-1] * len(self._is_product)
        owners = [-2] * len(self._is_product)
        for gate, sources in enumerate(self._sources):
            for literal in sources:
                if self._is_product_of_sum(literal):
                    sum_of[literal >> 1] = gate
        for gate, sources in enumerate(self._sources):
            for literal in sources:
                owner = -1 if literal & 1 else sum_of[self._first + gate]
                node = literal >> 1
                owners[node] = owner if owners[node] in (-2, owner) else -1
        for literal in [*outputs(self._netlist).tolist(), *self._netlist.feedback.tolist()]:
            owners[literal >> 1] = -1
        return owners

    def _needed(self, sums: dict[int, list[Product]]) -> list[bool]:
        """`[nodes]` which gates are made anew; notes the products of those that are sums."""
        needed = [False] * len(self._new)
        roots = [*outputs(self._netlist).tolist(), *self._netlist.feedback.tolist()]
        for literal in roots:
            needed[literal >> 1] = True
        for node in range(len(self._new) - 1, self._first - 1, -1):
            if not needed[node]:
                continue
            sources = self._sources[node - self._first]
            products = [literal >> 1 for literal in sources if self._is_product_of_sum(literal)]
            if len(products) > 1:
                sums[node] = [self._literals_of(product) for product in products]
                sources = [x for x in sources if not self._is_product_of_sum(x)]
                sources += [literal for product in sums[node] for literal in product]
            for literal in sources:
                needed[literal >> 1] = True
        return needed

    def _literals_of(self, product: int) -> Product:
        """The literals of a product, and of the gates in it that only its sum reads."""
        found = []
        pending = list(self._sources[product - self._first])
        while pending:
            literal = pending.pop()
            node = literal >> 1
            if not literal & 1 and node >= self._first and self._owners[node] >= 0:
                pending += self._sources[node - self._first]
            else:
                found.append(literal)
        return frozenset(found)

    # --- Making sums ----------------------------------------------------------------------------

    def _sum(self, products: Sequence[Product], depth: int = 0) -> int:
        """The new literal of the OR of products."""
        alternatives = []
        while products:
            shared = self._most_shared(products) if depth < DEEPEST else None
            if shared is None:
                alternatives += [self._product(product) for product in products]
                break
            inside = [product for product in products if shared in product]
            products = [product for product in products if shared not in product]
            common = frozenset.intersection(*inside)
            rest = [product - common for product in inside]
            # If nothing is left of one product, it says all that the others say.
            factors = [self._renamed(literal) for literal in common]
            if all(rest):
                factors.append(self._sum(rest, depth + 1))
            alternatives.append(self._gates.make_and(factors))
        return self._gates.make_and(literal ^ 1 for literal in alternatives) ^ 1

    def _product(self, product: Product) -> int:
        return self._gates.make_and(map(self._renamed, product))

    def _most_shared(self, products: Sequence[Product]) -> int | None:
        """The literal that most products share, if any two share one."""
        counts = Counter(literal for product in products for literal in product)
        best = max(counts, key=lambda x: (counts[x], -self._uses[x], x), default=None)
        return best if best is not None and counts[best] > 1 else None
