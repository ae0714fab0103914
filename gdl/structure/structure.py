"""Structure of a game: all results of analysing its circuit, and its decomposition.

Parts of a game of one role can be searched separately:

    found = decompose(netlist)
    for value in found.values:  # the best goal first
        for way in found.ways(value) or ():
            ...  # each subgame of the way has to be solved

If one subgame of each way cannot be solved, the goal cannot be reached.
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

MAX_CELLS = 100_000_000  # of a table of bases and bases, or bases and inputs
MAX_VISITS = 1_500_000_000  # literals visited for latches, in a second or two
MAX_VISITS_OF_PARTS = 100_000_000  # of literals, in some tenths of a second
MAX_CELLS_OF_PARTS = 10_000_000  # of a table of bases and bases, or bases and inputs
LARGEST = 0.9  # share of the largest part; above it, the others are not worth the effort
MAX_SUBGAMES = 12  # of a game, because each takes memory
MAX_WAYS = 32  # to a goal
MAX_PARTS = 12  # of a way

Terms = frozenset[int]  # literals that all have to hold
Asked = dict[int, Terms]  # for each part; nothing for missing ones


@dataclass(frozen=True, eq=False)
class PartView:
    """Game as seen through some of its bases. `B` bases, `I` inputs."""

    is_seen: BoolArray  # [B] whether the base is seen
    kinds: IntArray  # [I] number of each input's kind; different roles have different kinds
    # Whether states that agree in all bases seen offer the same kinds of moves. If not, they may
    # differ in whether a role can pass: make a move that changes nothing seen.
    is_exact: bool

    @property
    def num_kinds(self) -> int:
        """Number of kinds of inputs."""
        return int(self.kinds.max(initial=-1)) + 1


def ends_read(functions: Cofactors) -> BoolArray:
    """Return `[B]` the bases that the end and the goals depend on."""
    named = np.array([functions.terminal, *functions.goals], np.int32)
    return bases_read(cones(functions), named, functions.netlist.num_bases)


def view_of(functions: Cofactors, depends: Dependence, bases: BoolArray) -> PartView:
    """Return the smallest view of a game that shows how some bases develop."""
    num_bases = len(bases)
    # These bases show how many moves the `random` role has, which are equally likely.
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
            # Bases that run on their own cost nothing.
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
    """Return the literals that make kinds of moves legal: of most kinds, and of those that pass.

    A role with one kind of moves can make one until the game ends.
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
    """Structure of a game according to its circuit. `B` bases, `I` inputs."""

    netlist: Netlist  # the circuit, which names the bases and the inputs
    changes: BoolArray  # [B] whether a base changes at all
    is_autonomous: BoolArray  # [B] whether a base runs on its own: step counters, turns
    relevant: PartView  # view of the bases that can affect the end or the goals
    parts: Division  # parts of these bases
    decoys: Division  # parts of the other bases
    latches: tuple[Latch, ...]  # bases that keep a value once they have it

    @property
    def num_dead(self) -> int:
        """Number of bases that change but make no difference."""
        return int((self.changes & ~self.relevant.is_seen).sum())


def analyse(netlist: Netlist) -> Structure | None:
    """Analyse a game, given its circuit with all facts. Return None if it is too large."""
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
    """Conditions of a goal on the parts of a game, part by part, for use by one thread.

    A goal is treated as an "or" of ways to it, and each way as an "and" of conditions that each
    read one part. Any formula has this form if it is multiplied out, but some have too many ways.
    """

    def __init__(self, functions: Cofactors, room: Cones, part_of_base: IntArray) -> None:
        self._functions = functions
        self._room = room
        self._parts = part_of_base
        self._part_of: dict[int, set[int]] = {}

    def ways(self, literal: int) -> tuple[Asked, ...] | None:
        """Return the ways to make a literal true.

        Return None if there are too many, or one has too many parts. Each way is necessary but not
        always sufficient, because conditions that read no part are left out.
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
    """Way to a goal: what must be solved for it."""

    subgames: tuple[Subgame, ...]  # the parts that affect it
    # Whether a move may act in several of them. If not, the way takes as many moves as all of them
    # together, else as many as the longest.
    shares_moves: bool


class Decomposition:
    """Goals of a game, and their conditions on its parts, for use by one thread."""

    def __init__(self, netlist: Netlist, source: SubgameSource) -> None:
        self.netlist = netlist
        self.part_of_base: IntArray = source.part_of_base
        self.values = sorted({value for _, value, lit in netlist.goals if lit != NO}, reverse=True)
        self._source = source
        self._conditions = GoalConditions(source.functions, source.room, source.part_of_base)
        self._subgames: dict[tuple[int, frozenset[int]], Subgame | None] = {}

    def ways(self, value: int) -> tuple[Way, ...] | None:
        """Return the ways to a goal, or None if its conditions on the parts are unknown."""
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
    """Split a game of one role into parts. Return None if it has only one, or is too large."""
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
    # `view_of` made new gates, so larger buffers are needed.
    source = SubgameSource(functions, depends, cones(functions), parts, is_free)
    return Decomposition(netlist, source)


def _share_moves(subgames: tuple[Subgame, ...]) -> bool:
    if any(subgame.passing == NONE for subgame in subgames):
        return True
    acts = [subgame.kinds != subgame.passing for subgame in subgames]
    return any(bool((one & other).any()) for one, other in combinations(acts, 2))
