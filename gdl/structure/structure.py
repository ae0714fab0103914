"""Structure of a game: all results of analysing its circuit, and its decomposition.

The parts of a single-role game can be searched separately:

    found = decompose(netlist)
    for value in found.values:  # the best goal first
        for way in found.ways(value) or ():
            ...  # a search has to solve each subgame of the way

If every way has a subgame that cannot be solved, the goal cannot be reached.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, pairwise, product

import numpy as np

from gdl.circuit.netlist import NO, YES, BoolArray, IntArray, Netlist
from gdl.machine import is_random
from gdl.structure.cofactors import Cofactors, cofactors
from gdl.structure.dependence import (
    NONE,
    Cones,
    Dependence,
    Division,
    any_of,
    bases_read,
    cones,
    dependence,
    divide,
)
from gdl.structure.latches import Latch, latches
from gdl.structure.subgame import Subgame, SubgameSource, separate

MAX_CELLS = 100_000_000  # cells of a table that pairs bases with bases, or with inputs
MAX_VISITS = 1_500_000_000  # literals visited for latches; takes a second or two
MAX_VISITS_OF_PARTS = 100_000_000  # literals visited; takes some tenths of a second
MAX_CELLS_OF_PARTS = 10_000_000  # cells of a table that pairs bases with bases, or with inputs
LARGEST = 0.9  # share of the largest part; above it, splitting is not worth the effort
MAX_SUBGAMES = 12  # subgames per game, because each takes memory
MAX_WAYS = 32  # ways to reach one goal
MAX_PARTS = 12  # parts in one way

Terms = frozenset[int]  # literals that all have to hold
Asked = dict[int, Terms]  # what must hold in each part; a missing part may be in any state


@dataclass(frozen=True, eq=False)
class PartView:
    """Game with `B` bases and `I` inputs, as seen through some of its bases only."""

    is_seen: BoolArray  # [B] whether the base is seen
    kinds: IntArray  # [I] the kind of each input, as a number; roles have no kinds in common
    # Whether states that agree in all seen bases offer the same kinds of moves. If not, they may
    # differ in whether a role can pass, that is, make a move that changes no seen base.
    is_exact: bool

    @property
    def num_kinds(self) -> int:
        """Number of different kinds of inputs."""
        return int(self.kinds.max(initial=-1)) + 1


def ends_read(functions: Cofactors) -> BoolArray:
    """Return whether the end of the game or the goals depend on each base, `[B]`."""
    named = np.array([functions.terminal, *functions.goals], np.int32)
    return bases_read(cones(functions), named, functions.netlist.num_bases)


def view_of(functions: Cofactors, depends: Dependence, bases: BoolArray) -> PartView:
    """Return the smallest view of a game that determines how the given bases change."""
    num_bases = len(bases)
    # The view must determine how many moves the `random` role has, because its moves are equally
    # likely.
    is_seen = bases | any_of(depends.legal_reads[_is_chance(functions)], axis=0)
    while True:
        is_seen = _closed(depends.next_reads, is_seen)
        known = int(is_seen.sum())
        kinds, passing = _kinds(functions, depends, is_seen)
        needed, passes = _legality(functions, kinds, passing)
        room = cones(functions)
        is_seen = is_seen | bases_read(room, needed, num_bases)
        missing = [bases_read(room, passes[[i]], num_bases) & ~is_seen for i in range(len(passes))]
        for unseen in missing:
            # Seeing a base that runs on its own costs nothing.
            if not (unseen & ~depends.is_autonomous).any():
                is_seen |= unseen
        if known == int(is_seen.sum()):
            return PartView(is_seen, kinds, not any(unseen.any() for unseen in missing))


def _closed(next_reads: BoolArray, bases: BoolArray) -> BoolArray:
    num = -1
    while num != (num := int(bases.sum())):
        bases = bases | any_of(next_reads[bases], axis=0)
    return bases


def _kinds(
    functions: Cofactors, depends: Dependence, is_seen: BoolArray
) -> tuple[IntArray, set[int]]:
    netlist = functions.netlist
    kinds = np.zeros(netlist.num_inputs, np.int32)
    num_kinds = 0
    for first, last in pairwise(netlist.role_starts.tolist()):
        rows = np.ascontiguousarray(functions.following[first:last][:, is_seen])
        _, inverse = np.unique(rows, axis=0, return_inverse=True)
        kinds[first:last] = num_kinds + inverse.reshape(-1)
        num_kinds = int(kinds[:last].max(initial=-1)) + 1
    changes_nothing = ~any_of(depends.moves[:, is_seen], axis=1)
    return kinds, set(kinds[changes_nothing & ~_is_chance(functions)].tolist())


def _legality(
    functions: Cofactors, kinds: IntArray, passing: set[int]
) -> tuple[IntArray, IntArray]:
    """Return literals that say which kinds of moves are legal.

    The first array is for the kinds of moves that change bases in the view, the second for those
    that change none. A role with only one kind of move needs no literal, because it can make such a
    move in every state until the game ends.
    """
    roles = np.array([role for role, _ in functions.netlist.inputs], np.int32)
    needed, passes = list[int](), list[int]()
    for kind in range(int(kinds.max(initial=-1)) + 1):
        is_member = kinds == kind
        if (kinds[roles == roles[is_member][0]] == kind).all():
            continue
        literals = passes if kind in passing else needed
        literals.append(functions.any_of(functions.legal[is_member]))
    return np.array(needed, np.int32), np.array(passes, np.int32)


def _is_chance(functions: Cofactors) -> BoolArray:
    netlist = functions.netlist
    return np.array([is_random(netlist.roles[role]) for role, _ in netlist.inputs], np.bool_)


@dataclass(frozen=True, eq=False)
class Structure:
    """Structure of a game with `B` bases and `I` inputs, as found in its circuit."""

    netlist: Netlist  # the circuit; it has the terms of bases and inputs
    changes: BoolArray  # [B] whether a base changes at all
    is_autonomous: BoolArray  # [B] whether a base runs on its own, like a step counter
    relevant: PartView  # view of the bases that can affect the end or the goals
    parts: Division  # parts of these bases
    decoys: Division  # parts of the other bases
    latches: tuple[Latch, ...]  # bases that keep a certain value once they have it

    @property
    def num_dead(self) -> int:
        """Number of bases that change but do not affect the end or the goals."""
        return int((self.changes & ~self.relevant.is_seen).sum())


def analyse(netlist: Netlist) -> Structure | None:
    """Analyse a game, given a netlist with all its facts. Return None if it is too large."""
    num_bases = netlist.num_bases
    if num_bases * max(num_bases, netlist.num_inputs) > MAX_CELLS:
        return None
    functions = cofactors(netlist)
    if functions is None:
        return None
    depends = dependence(functions, cones(functions))
    relevant = view_of(functions, depends, ends_read(functions))
    changes = (netlist.next != NO) & (netlist.next != YES)
    parts = divide(functions, depends, relevant.is_seen & changes)
    return Structure(
        netlist=netlist,
        changes=changes,
        is_autonomous=depends.is_autonomous,
        relevant=relevant,
        parts=parts,
        decoys=divide(functions, depends, ~relevant.is_seen & changes),
        latches=latches(netlist, MAX_VISITS),
    )


class GoalConditions:
    """Finder of the conditions that a goal sets for each part of a game. Use it in one thread only.

    A goal is treated as an "or" of ways to reach it, and each way as an "and" of conditions that
    read one part each. Every formula has this form once it is multiplied out, but some have too
    many ways.
    """

    def __init__(self, functions: Cofactors, room: Cones, part_of_base: IntArray) -> None:
        self._functions = functions
        self._room = room
        self._parts = part_of_base
        self._part_of: dict[int, set[int]] = {}

    def ways(self, literal: int) -> tuple[Asked, ...] | None:
        """Return the ways to make a literal true.

        Return None if there are too many ways, or if a way has too many parts. The literal can only
        be true if all conditions of some way hold. That may not be sufficient, because conditions
        that read no part are left out.
        """
        found = self._multiplied(literal)
        if found is None:
            return None
        ways = [self._by_part(terms) for terms in found]
        return None if any(len(way) > MAX_PARTS for way in ways) else tuple(ways)

    def _multiplied(self, literal: int) -> list[Terms] | None:
        gate = (literal >> 1) - self._functions.netlist.first_gate
        if gate < 0 or len(self._read(literal)) < 2:
            return [frozenset((literal,))]
        table, sign = self._functions.table, literal & 1
        sources = table.literals[table.offsets[gate] : table.offsets[gate + 1]].tolist()
        each = [self._multiplied(source ^ sign) for source in sources]
        known = [found for found in each if found is not None]
        num = sum(map(len, known)) if sign else int(np.prod([len(k) for k in known], dtype=float))
        if len(known) < len(each) or num > MAX_WAYS:
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
    """Way to reach a goal: the subgames that must be solved."""

    subgames: tuple[Subgame, ...]  # one for each part that affects the goal
    # Whether a move may act in several subgames. If so, the way needs at least as many moves as its
    # longest subgame. If not, it needs as many as all subgames together.
    shares_moves: bool


class Decomposition:
    """Goals of a game, and the ways to reach them in its parts. Use it in one thread only."""

    def __init__(self, netlist: Netlist, source: SubgameSource) -> None:
        self.netlist = netlist
        self.part_of_base: IntArray = source.part_of_base
        self.values = sorted({value for _, value, lit in netlist.goals if lit != NO}, reverse=True)
        self._source = source
        self._conditions = GoalConditions(source.functions, source.room, source.part_of_base)
        self._subgames: dict[tuple[int, frozenset[int]], Subgame | None] = {}

    def ways(self, value: int) -> tuple[Way, ...] | None:
        """Return the ways to reach a goal.

        Return None if there are too many ways or subgames, or if a subgame is too large or
        recursive.
        """
        goals, literals = self.netlist.goals, self._source.functions.goals.tolist()
        named = [lit for (_, v, _), lit in zip(goals, literals, strict=True) if v == value]
        found = [self._conditions.ways(literal) for literal in named]
        if any(ways is None for ways in found):
            return None
        asked = [list(way.items()) for ways in found for way in ways or ()]
        if len({*self._subgames, *(each for way in asked for each in way)}) > MAX_SUBGAMES:
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
    """Split a single-role game into parts. Return None if it has only one part or is too large."""
    if len(netlist.roles) != 1 or netlist.num_bases * netlist.num_inputs > MAX_CELLS_OF_PARTS:
        return None
    if netlist.num_bases**2 > MAX_CELLS_OF_PARTS:
        return None
    functions = cofactors(netlist, MAX_VISITS_OF_PARTS)
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
    # `view_of` made new gates, so the scratch buffers must be larger.
    source = SubgameSource(functions, depends, cones(functions), parts, is_free)
    return Decomposition(netlist, source)


def _share_moves(subgames: tuple[Subgame, ...]) -> bool:
    if any(subgame.passing == NONE for subgame in subgames):
        return True
    acts = [subgame.kinds != subgame.passing for subgame in subgames]
    return any(bool((one & other).any()) for one, other in combinations(acts, 2))
