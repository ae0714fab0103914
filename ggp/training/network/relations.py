"""Find pairs of bases that the rules relate, as additional inputs of a network.

Two bases are related if a condition of the rules, which is a gate of the circuit, needs both. The
gate may read the bases directly, or through one more gate or step of recursion. So the pairs
include neighbouring cells in a game of chains, cells of a line if lines win, and a piece with the
pieces that it may take.

Bases that exclude each other and differ in one argument, such as a white and a black stone on one
cell, form a *site*. If two bases are related, all bases of their two sites are.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations, product

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.training.network.input_choice import bits_of

MAX_BELOW = 16  # maximum number of bases below a gate; a gate with more is ignored
MAX_MET = 64  # maximum number of pairs from two literals of a gate; if there are more, ignore them
MAX_GATES = 20_000  # maximum number of gates to examine; if there are more, skip some
MAX_LITERALS = 8  # gates with more literals are not examined
DEPTH = 2  # number of levels below a gate, of gates and steps of recursion

Pairs = NDArray[np.int64]


class _Below:
    """A cache of the bases that are at most `DEPTH` levels below a node."""

    def __init__(self, netlist: gdl.Netlist) -> None:
        self._netlist = netlist
        self._known: dict[tuple[int, int], frozenset[int]] = {}

    def of(self, node: int, depth: int = DEPTH) -> frozenset[int]:
        """Return the numbers of the bases below a node, or an empty set if there are too many."""
        key = node, depth
        if key not in self._known:
            self._known[key] = frozenset()  # for a cycle that leads back to this node
            self._known[key] = self._find(node, depth)
        return self._known[key]

    def _find(self, node: int, depth: int) -> frozenset[int]:
        netlist = self._netlist
        if 1 <= node < netlist.first_input:
            return frozenset((node - 1,))
        if node < netlist.first_feedback or depth == 0:
            return frozenset()
        if node < netlist.first_gate:
            return self.of(int(netlist.feedback[node - netlist.first_feedback]) >> 1, depth - 1)
        gate = node - netlist.first_gate
        literals = netlist.literals[netlist.offsets[gate] : netlist.offsets[gate + 1]]
        found: set[int] = set()
        for literal in literals.tolist():
            found |= self.of(literal >> 1, depth - 1)
            if len(found) > MAX_BELOW:
                return frozenset()
        return frozenset(found)


def related_pairs(game: gdl.Game, states: NDArray[np.uint64], columns: NDArray[np.int64]) -> Pairs:
    """Return the pairs of bases that the rules relate, as indices of `columns`, `[N, 2]`.

    The pairs are sorted.

    Args:
        game: A game with a simulator.
        states: `[n, W]` packed states of the game, which show which bases exclude each other.
        columns: The bits that are inputs of the network, as numbers, ascending.
    """
    assert game.simulator is not None
    assert game.circuit is not None
    facts = game.simulator.circuit.phases[0].netlist.bases
    bits = bits_of(states)[:, : len(facts)].astype(np.float32)
    sites = _sites(facts, bits.T @ bits > 0)
    place_of = {facts[column]: place for place, column in enumerate(columns.tolist())}
    numbers, site_of = np.unique(sites[columns], return_inverse=True)
    are_related = np.zeros((len(numbers), len(numbers)), np.bool_)
    bases = game.circuit.netlist.bases
    for one, other in _meetings(game.circuit.netlist):
        first, second = place_of.get(bases[one]), place_of.get(bases[other])
        if first is not None and second is not None:
            sides = site_of[first], site_of[second]
            are_related[sides] = are_related[sides[::-1]] = True
    np.fill_diagonal(are_related, val=False)
    return np.argwhere(np.triu(are_related[np.ix_(site_of, site_of)]))


def _meetings(netlist: gdl.Netlist) -> set[tuple[int, int]]:
    """Return the pairs of bases that one gate needs together, as numbers of bases."""
    below = _Below(netlist)
    found: set[tuple[int, int]] = set()
    for gate in range(0, netlist.num_gates, 1 + netlist.num_gates // MAX_GATES):
        literals = netlist.literals[netlist.offsets[gate] : netlist.offsets[gate + 1]]
        is_choice = (literals & 1).all()  # an OR gate, whose literals need not be true together
        if len(literals) <= MAX_LITERALS and not is_choice:
            sides = combinations(map(below.of, (literals >> 1).tolist()), 2)
            found.update(*(product(*two) for two in sides if len(two[0]) * len(two[1]) <= MAX_MET))
    return found


def _sites(facts: Sequence[gdl.Term], together: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Group facts into sites. Return the number of each fact's site, `[B]`.

    A site is a group of facts that differ in one argument and were never seen in the same state,
    such as the possible contents of a cell. Every other fact is a site of its own.

    Args:
        facts: The facts of the bases.
        together: `[B, B]` whether two facts were seen in the same state.
    """
    found = np.arange(len(facts))
    groups: dict[tuple[object, ...], list[int]] = defaultdict(list)
    for number, fact in enumerate(facts):
        if isinstance(fact, gdl.Compound):
            for place in reversed(range(len(fact.args))):
                rest = (*fact.args[:place], *fact.args[place + 1 :])
                groups[(fact.name, place, *rest)].append(number)
    is_placed = np.zeros(len(facts), np.bool_)
    for members in sorted(groups.values(), key=len):
        block = together[np.ix_(members, members)].copy()
        np.fill_diagonal(block, val=False)
        if len(members) > 1 and not block.any() and not is_placed[members].any():
            found[members] = members[0]
            is_placed[members] = True
    return found
