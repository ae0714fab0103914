"""Symmetries of a game: permutations of facts and moves that keep its rules, found on the circuit.

The colours of the circuit's nodes are refined by the colours of their neighbours until nothing
changes (Weisfeiler and Leman, 1968). If several facts or moves share a colour, one of them gets a
colour of its own. Then each of the others gets that colour instead. If the resulting colours are
the same, there is a symmetry (McKay, Practical Graph Isomorphism, 1981). Symmetries that the
circuit does not show are not found.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.netlist import Netlist
from gdl.rulesheet.symbol_graph import ODD, Colours, mixed

IntArray = NDArray[np.int64]

MAX_LITERALS = 100_000
MAX_REFINEMENTS = 256
_OWN_COLOUR = np.uint64(0x5851F42D4C957F2D)


class Symmetry(NamedTuple):
    """Permutation of a circuit's bases and inputs: the number that each one is mapped to."""

    bases: IntArray  # [B]
    inputs: IntArray  # [I]


def symmetries(netlist: Netlist, most: int = 16) -> list[Symmetry]:
    """Return up to `most` symmetries of a game, the identity first. They keep all roles fixed."""
    if len(netlist.literals) > MAX_LITERALS:
        return [Symmetry(np.arange(netlist.num_bases), np.arange(netlist.num_inputs))]
    return list(_Finder(netlist, most).all())


class _Edge(NamedTuple):
    """Edges of one kind: where they end, where they start, and whether they are complemented."""

    ends: IntArray
    begins: IntArray
    signs: Colours


class _Finder:
    def __init__(self, netlist: Netlist, most: int) -> None:
        self._netlist = netlist
        self._most = most
        self._refinements = 0
        self._num_named = 1 + netlist.num_bases + netlist.num_inputs
        first = self._num_named + len(netlist.feedback)
        owners = first + np.repeat(np.arange(netlist.num_gates), np.diff(netlist.offsets))
        self._num_nodes = first + netlist.num_gates
        self._edges = [
            _edge(owners, netlist.literals),
            _edge(np.arange(1, netlist.first_input), netlist.next),
            _edge(np.arange(netlist.first_input, self._num_named), netlist.legal),
            _edge(np.arange(self._num_named, first), netlist.feedback),
        ]

    def all(self) -> Iterator[Symmetry]:
        steps = [self._refined(self._first_colours())]
        fixed: list[int] = []
        while (shared := self._shared(steps[-1])) is not None:
            if self._refinements >= MAX_REFINEMENTS // 4:  # too many nodes have equal colours
                break
            fixed.append(int(shared[0]))
            steps.append(self._refined(_coloured(steps[-1], fixed[-1])))
        for colours in islice(self._images(steps, fixed, steps[0], 0), self._most):
            yield self._symmetry(steps[-1], colours)

    def _images(
        self, steps: list[Colours], fixed: list[int], colours: Colours, level: int
    ) -> Iterator[Colours]:
        if level == len(fixed):
            yield colours
            return
        alike = np.flatnonzero(colours[: self._num_named] == steps[level][fixed[level]])
        wanted = np.sort(steps[level + 1])
        # Try the fixed node first, so that the identity is found first.
        for node in sorted(alike, key=lambda node: node != fixed[level]):
            if self._refinements >= MAX_REFINEMENTS:
                return
            refined = self._refined(_coloured(colours, int(node)))
            if np.array_equal(np.sort(refined), wanted):
                yield from self._images(steps, fixed, refined, level + 1)

    def _symmetry(self, here: Colours, there: Colours) -> Symmetry:
        netlist = self._netlist
        first, end = netlist.first_input, self._num_named
        return Symmetry(
            _matched(here[1:first], there[1:first]), _matched(here[first:end], there[first:end])
        )

    def _first_colours(self) -> Colours:
        netlist = self._netlist
        colours = np.full(self._num_nodes, 1, np.uint64)
        colours[0] = 2
        colours[1 : netlist.first_input] = np.where(netlist.init, 3, 4)
        roles = np.array([role for role, _ in netlist.inputs], np.uint64)
        colours[netlist.first_input : self._num_named] = np.uint64(5) + roles
        meanings = [(netlist.terminal, "terminal"), *((at, goal) for *goal, at in netlist.goals)]
        meanings += [(at, f"sees {role} {percept}") for role, percept, at in netlist.sees]
        numbers = {str(meaning): place for place, (_, meaning) in enumerate(meanings)}
        for literal, meaning in meanings:
            number = 1000 + 2 * numbers[str(meaning)] + (literal & 1)
            colours[literal >> 1 : (literal >> 1) + 1] += _mixed(np.array([number], np.uint64))
        return colours

    def _refined(self, colours: Colours) -> Colours:
        self._refinements += 1
        num, before = len(np.unique(colours)), 0
        while num > before:
            sums = np.zeros(self._num_nodes, np.uint64)
            for kind, edge in enumerate(self._edges):
                there, back = np.uint64(4 * kind + 1), np.uint64(4 * kind + 3)
                np.add.at(sums, edge.ends, _mixed(colours[edge.begins] + edge.signs * there))
                np.add.at(sums, edge.begins, _mixed(~colours[edge.ends] + edge.signs * back))
            colours = _mixed(colours + _mixed(sums))
            before, num = num, len(np.unique(colours))
        return colours

    def _shared(self, colours: Colours) -> IntArray | None:
        named = colours[1 : self._num_named]
        _, place, counts = np.unique(named, return_inverse=True, return_counts=True)
        sizes = counts[place]
        if (sizes == 1).all():
            return None
        smallest = place[np.argmin(np.where(sizes == 1, len(named) + 1, sizes))]
        return 1 + np.flatnonzero(place == smallest)


def _edge(ends: IntArray, literals: NDArray[np.int32]) -> _Edge:
    signs = (np.asarray(literals, np.int64) & 1).astype(np.uint64) + np.uint64(1)
    return _Edge(ends, np.asarray(literals, np.int64) >> 1, signs)


def _mixed(numbers: Colours) -> Colours:
    """Scramble the bits of numbers (Steele and others, splitmix64, 2014)."""
    return mixed(numbers + ODD)


def _coloured(colours: Colours, node: int) -> Colours:
    found = colours.copy()
    found[node] ^= _OWN_COLOUR
    return found


def _matched(here: Colours, there: Colours) -> IntArray:
    """Return for each index of `here` the index of `there` that has the same colour.

    If several indexes have the same colour, match them in ascending order.
    """
    found = np.empty(len(here), np.int64)
    found[np.argsort(here, kind="stable")] = np.argsort(there, kind="stable")
    return found
