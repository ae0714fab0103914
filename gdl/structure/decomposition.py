"""Parts of a game of one role, to be searched apart, and what such searches prove.

    found = decompose(netlist)
    for value in found.values:  # the best goal first
        for way in found.ways(value) or ():
            ...  # each subgame of the way has to be solved

If for each way one subgame cannot be solved, the goal cannot be reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, product

import numpy as np

from gdl.circuit.netlist import NO, YES, IntArray, Netlist
from gdl.structure.cofactors import Cofactors, cofactors
from gdl.structure.dependence import Cones, bases_read, cones, dependence
from gdl.structure.division import NONE
from gdl.structure.structure import ends_read, view_of
from gdl.structure.subgame import Subgame, SubgameSource, separate

MOST_VISITS = 100_000_000  # of literals: some tenths of a second
MOST_CELLS = 10_000_000  # of a table of bases and bases, or bases and inputs
LARGEST = 0.9  # share of the largest part; else the others are not worth the trouble
MOST_SUBGAMES = 12  # of a game, for each takes memory
MOST_WAYS = 32  # to a goal
MOST_PARTS = 12  # of a way

Terms = frozenset[int]  # literals that all hold
Asked = dict[int, Terms]  # of each part; of those that are missing, nothing


class GoalConditions:
    """Conditions of a goal on the parts of a game, part by part. It belongs to one thread.

    A goal is taken for an "or" of ways to it, and each way for an "and" of conditions of which each
    reads one part. That is so for any formula if it is multiplied out, but of some there are too
    many ways.
    """

    def __init__(self, functions: Cofactors, room: Cones, part_of_base: IntArray) -> None:
        self._functions = functions
        self._room = room
        self._parts = part_of_base
        self._part_of: dict[int, set[int]] = {}

    def ways(self, literal: int) -> tuple[Asked, ...] | None:
        """The ways to make a literal true; None if there are too many, or one asks too much.

        Each is necessary for it, not always sufficient: conditions that read no part are left out.
        """
        found = self._multiplied(literal)
        if found is None:
            return None
        ways = [self._by_part(terms) for terms in found]
        return None if any(len(way) > MOST_PARTS for way in ways) else tuple(ways)

    def _multiplied(self, literal: int) -> list[Terms] | None:
        gate = (literal >> 1) - self._functions.netlist.first_gate
        if gate < 0 or len(self._read(literal)) < 2:
            return [frozenset((literal,))]
        table, sign = self._functions.table, literal & 1
        sources = table.literals[table.offsets[gate] : table.offsets[gate + 1]].tolist()
        each = [self._multiplied(source ^ sign) for source in sources]
        known = [found for found in each if found is not None]
        num = sum(map(len, known)) if sign else int(np.prod([len(k) for k in known], dtype=float))
        if len(known) < len(each) or num > MOST_WAYS:
            return None
        if sign:
            return [terms for found in known for terms in found]
        return [frozenset().union(*chosen) for chosen in product(*known)]

    def _by_part(self, terms: Terms) -> Asked:
        way: dict[int, set[int]] = {}
        for literal in terms:
            for part in self._read(literal):
                way.setdefault(part, set()).add(literal)
        return {part: frozenset(asked) for part, asked in way.items()}

    def _read(self, literal: int) -> set[int]:
        node = literal >> 1
        if node not in self._part_of:
            named = np.array([literal], np.int32)
            reads = bases_read(self._room, named, len(self._parts))
            self._part_of[node] = set(self._parts[reads].tolist()) - {NONE}
        return self._part_of[node]


@dataclass(frozen=True, eq=False)
class Way:
    """A way to a goal: what must be solved for it.

    Attributes:
        shares_moves: Whether a move may do something in several of them. If not, it takes as many
            moves as all of them together; else as many as the longest.
    """

    subgames: tuple[Subgame, ...]  # the parts that have a say in it
    shares_moves: bool


class Decomposition:
    """The goals of a game, and what each asks of its parts. It belongs to one thread."""

    def __init__(self, netlist: Netlist, source: SubgameSource) -> None:
        self.netlist = netlist
        self.part_of_base: IntArray = source.part_of_base
        self.values = sorted({value for _, value, lit in netlist.goals if lit != NO}, reverse=True)
        self._source = source
        self._conditions = GoalConditions(source.functions, source.room, source.part_of_base)
        self._subgames: dict[tuple[int, frozenset[int]], Subgame | None] = {}

    def ways(self, value: int) -> tuple[Way, ...] | None:
        """The ways to a goal; None if it is not known what it asks of the parts."""
        goals, literals = self.netlist.goals, self._source.functions.goals.tolist()
        named = [lit for (_, v, _), lit in zip(goals, literals, strict=True) if v == value]
        found = [self._conditions.ways(literal) for literal in named]
        if any(ways is None for ways in found):
            return None
        asked = [list(way.items()) for ways in found for way in ways or ()]
        if len({*self._subgames, *(each for way in asked for each in way)}) > MOST_SUBGAMES:
            return None
        made = [[self._subgame(part, condition) for part, condition in way] for way in asked]
        if any(subgame is None for way in made for subgame in way):
            return None
        ways = [tuple(subgame for subgame in way if subgame is not None) for way in made]
        return tuple(Way(way, _share_moves(way)) for way in ways)

    def _subgame(self, part: int, condition: frozenset[int]) -> Subgame | None:
        key = part, condition
        if key not in self._subgames:
            self._subgames[key] = self._source.subgame(part, condition)
        return self._subgames[key]


def decompose(netlist: Netlist) -> Decomposition | None:
    """Split a game of one role into parts; None if it does not fall apart, or is too large."""
    if len(netlist.roles) != 1 or netlist.num_bases * netlist.num_inputs > MOST_CELLS:
        return None
    if netlist.num_bases**2 > MOST_CELLS:
        return None
    functions = cofactors(netlist, MOST_VISITS)
    if functions is None:
        return None
    room = cones(functions)
    depends = dependence(functions, room)
    changes = (netlist.next != NO) & (netlist.next != YES)
    is_relevant = view_of(functions, depends, ends_read(functions)).is_seen
    parts = separate(functions, depends, room, is_relevant & changes)
    sizes = np.bincount(parts[parts != NONE])
    if len(sizes) < 2 or sizes.max() > LARGEST * sizes.sum():
        return None
    is_free = depends.is_autonomous | ~changes
    # View made new gates, so there must be more room.
    source = SubgameSource(functions, depends, cones(functions), parts, is_free)
    return Decomposition(netlist, source)


def _share_moves(subgames: tuple[Subgame, ...]) -> bool:
    """Whether a move may do something in several subgames at once."""
    if any(subgame.passing == NONE for subgame in subgames):
        return True
    acts = [subgame.kinds != subgame.passing for subgame in subgames]
    return any(bool((one & other).any()) for one, other in combinations(acts, 2))
