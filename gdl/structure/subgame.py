"""Subgames: a part of a game as a game of its own, which ends when a condition holds.

Moves of the whole game become moves of the subgame by their effects on the part. The subgame allows
more, because it checks only those conditions of legality that the part knows. So a state that
cannot be reached in the subgame cannot be reached in the game, and the shortest way in the subgame
is never longer than the shortest way in the game.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np

from gdl.circuit.and_gates import FULL, GateTable, contents, make_and, mark_cone, new_table, rebuild
from gdl.circuit.circuit import Circuit, circuit_of
from gdl.circuit.netlist import NO, YES, BoolArray, IntArray, Netlist
from gdl.structure.cofactors import Cofactors
from gdl.structure.dependence import (
    NONE,
    Cones,
    Dependence,
    any_of,
    bases_read,
    join_all,
    join_rows,
    join_what_moves_touch,
    root_of,
)

MAX_PAIRED = 200  # more bases than this are not separated by pairs of moves
MAX_CELLS = 200_000  # cells of a table that pairs kinds of moves with bases
SPARE = 4  # new gates to make room for, per cell of this table
SECONDS = 1.0  # time limit for reducing the circuit of a subgame
SOLVED = 100  # goal of a subgame when its condition holds


def separate(
    functions: Cofactors, depends: Dependence, room: Cones, is_counted: BoolArray
) -> IntArray:
    """Return the number `[B]` of the part that each base belongs to.

    Bases that run on their own or are not in `is_counted` belong to no part: their number is NONE.
    If the game cannot be split, all other bases are in one part.
    """
    is_inside = is_counted & ~depends.is_autonomous
    _, parents = join_what_moves_touch(depends, is_inside)
    parts = _numbered(parents, is_inside)
    if parts.max(initial=NONE) > 0 or not 1 < is_inside.sum() <= MAX_PAIRED:
        return parts
    paired = _paired(functions, depends, room, is_inside)
    return parts if paired is None else paired


def conjuncts(functions: Cofactors, literal: int) -> Iterator[int]:
    """Yield literals that are all true if and only if the given literal is true."""
    gate = (literal >> 1) - functions.netlist.first_gate
    if literal & 1 or gate < 0:
        yield literal
        return
    table = functions.table
    for source in table.literals[table.offsets[gate] : table.offsets[gate + 1]].tolist():
        yield from conjuncts(functions, source)


def _numbered(parents: IntArray, is_inside: BoolArray) -> IntArray:
    bases = np.flatnonzero(is_inside)
    parts = np.full(len(is_inside), NONE, np.int32)
    roots = [root_of(parents, base) for base in bases.tolist()]
    parts[bases] = np.unique(np.array(roots, np.int32), return_inverse=True)[1]
    return parts


def _paired(
    functions: Cofactors, depends: Dependence, room: Cones, is_inside: BoolArray
) -> IntArray | None:
    num_bases = len(is_inside)
    parents = np.arange(num_bases, dtype=np.int32)
    join_all(depends.next_reads, parents.copy(), is_inside, is_inside, parents)
    conditions = {part for literal in functions.legal for part in conjuncts(functions, literal)}
    rows = [bases_read(room, np.array([part], np.int32), num_bases) for part in conditions]
    join_rows(np.array(rows, np.bool_).reshape(len(rows), num_bases), is_inside, parents)
    num = -1
    while True:
        parts = _numbered(parents, is_inside)
        kinds = [_kinds(functions, parts == part) for part in range(parts.max(initial=NONE) + 1)]
        if num == len(kinds):
            break
        num = len(kinds)
        bases = [int(np.flatnonzero(parts == part)[0]) for part in range(num)]
        for one, other in combinations(range(num), 2):
            roots = root_of(parents, bases[one]), root_of(parents, bases[other])
            if roots[0] != roots[1] and not _is_product([kinds[one], kinds[other]]):
                parents[roots[0]] = roots[1]
    return parts if num > 1 and _is_product(kinds) else None


def _kinds(functions: Cofactors, bases: BoolArray) -> IntArray:
    rows = np.ascontiguousarray(functions.following[:, bases])
    return np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int32)


def _is_product(kinds: list[IntArray]) -> bool:
    num = 1
    for each in kinds:
        num *= int(each.max(initial=-1)) + 1
        if num > len(each):
            return False
    return len(np.unique(np.array(kinds), axis=1).T) == num


@dataclass(frozen=True, eq=False)
class Subgame:
    """Part of a game, as a game of its own. The whole game has `I` inputs."""

    netlist: Netlist  # each input has the name of an input of the whole game with the same effect
    kinds: IntArray  # [I] the input of the subgame for each input of the whole game
    passing: int  # the input that changes nothing, or NONE

    @cached_property
    def circuit(self) -> Circuit:
        """The compiled subgame."""
        return circuit_of(self.netlist, SECONDS)


@dataclass(frozen=True, eq=False)
class SubgameSource:
    """Creator of the subgames of a single-role game."""

    functions: Cofactors
    depends: Dependence
    room: Cones
    part_of_base: IntArray  # [B]
    is_free: BoolArray  # [B] whether a base runs on its own, or never changes

    def subgame(self, part: int, condition: frozenset[int]) -> Subgame | None:
        """Return a part of the game as a game that ends when all literals of `condition` hold.

        Return None if the subgame is too large, or if it depends on recursion.
        """
        functions, netlist = self.functions, self.functions.netlist
        asked = np.array(sorted(condition), np.int32)
        is_seen, legal = self._seen(part, asked)
        rows = np.ascontiguousarray(functions.following[:, is_seen])
        _, firsts, kinds = np.unique(rows, axis=0, return_index=True, return_inverse=True)
        if len(firsts) * int(is_seen.sum()) > MAX_CELLS:
            return None
        numbers: IntArray = kinds.reshape(-1).astype(np.int32)
        made = _Making(functions, is_seen, firsts.astype(np.int32), [*legal, condition])
        if not made.is_possible:
            return None
        solved = made.all_of(condition)
        following = functions.following[firsts][:, is_seen]
        subgame = Netlist(
            roles=netlist.roles,
            bases=tuple(netlist.bases[base] for base in np.flatnonzero(is_seen).tolist()),
            inputs=tuple(netlist.inputs[first] for first in firsts.tolist()),
            init=netlist.init[is_seen],
            next=np.array([made.next_of(column) for column in following.T], np.int32),
            legal=made.legal_of(numbers, legal),
            terminal=solved,
            goals=((0, 0, solved ^ 1), (0, SOLVED, solved)),
            offsets=made.gates[0],
            literals=made.gates[1],
        )
        still = (following == 2 * (1 + np.flatnonzero(is_seen))).all(axis=1)
        passing = int(still.argmax()) if still.any() else NONE
        return Subgame(subgame, numbers, passing)

    def _seen(self, part: int, asked: IntArray) -> tuple[BoolArray, list[frozenset[int]]]:
        """Return whether a subgame contains each base, `[B]`.

        Also return, for each input, the conditions of its legality that depend only on such bases.
        Bases that run on their own are included if they affect the part, or the legality of moves
        that act on the part.
        """
        functions, num_bases = self.functions, self.functions.netlist.num_bases
        is_part = self.part_of_base == part
        is_seen = is_part | bases_read(self.room, asked, num_bases)
        acts = any_of(self.depends.moves & is_part, axis=1)
        conditions = [frozenset(conjuncts(functions, literal)) for literal in functions.legal]
        reads = {
            literal: bases_read(self.room, np.array([literal], np.int32), num_bases)
            for literal in frozenset().union(*conditions)
        }
        for index in np.flatnonzero(acts).tolist():
            for literal in conditions[index]:
                if not (reads[literal] & ~is_part & ~self.is_free).any():
                    is_seen |= reads[literal]
        num = -1
        while num != (num := int(is_seen.sum())):
            is_seen = is_seen | any_of(self.depends.next_reads[is_seen], axis=0)
        known = {literal for literal, read in reads.items() if not (read & ~is_seen).any()}
        return is_seen, [condition & known for condition in conditions]


class _Making:
    def __init__(
        self,
        functions: Cofactors,
        is_seen: BoolArray,
        firsts: IntArray,
        literals: Iterable[frozenset[int]],
    ) -> None:
        old, first_gate = functions.table, functions.netlist.first_gate
        num_gates, num_seen = int(old.sizes[0]), int(is_seen.sum())
        offsets = old.offsets[: num_gates + 1]
        needed = np.zeros(first_gate + num_gates, np.bool_)
        needed[functions.following[firsts][:, is_seen] >> 1] = True
        for some in literals:
            needed[[literal >> 1 for literal in some]] = True
        mark_cone(offsets, old.literals, functions.feedback[:0], first_gate, needed)
        sources = np.zeros(first_gate, np.bool_)
        sources[0] = True
        sources[1 : 1 + len(is_seen)] = is_seen
        self.is_possible = not (needed[:first_gate] & ~sources).any()
        self._first_input = 1 + num_seen
        kept = needed[first_gate:].astype(np.int32)
        num_kept = int(kept.sum())
        num_literals = int((np.diff(offsets) * kept).sum())
        cells = SPARE * (len(firsts) + 1) * (num_seen + 1) + len(functions.legal)
        first_new = 1 + num_seen + len(firsts)
        self._table: GateTable = new_table(first_new, num_kept + cells, num_literals + 2 * cells)
        self._mapping = np.zeros(first_gate + num_gates, np.int32)
        self._mapping[1 : 1 + len(is_seen)][is_seen] = 2 * (1 + np.arange(num_seen))
        buffers = np.empty((2, len(old.literals) + 1), np.int32)
        if self.is_possible:
            self.is_possible = bool(
                rebuild(offsets, old.literals, self._mapping, kept, self._table, buffers)
            )

    def all_of(self, literals: Iterable[int]) -> int:
        return self._and([self._new(literal) for literal in literals])

    def any_of(self, literals: Iterable[int]) -> int:
        return self._and([literal ^ 1 for literal in literals]) ^ 1

    def next_of(self, column: IntArray) -> int:
        cases = []
        for literal in np.unique(column).tolist():
            moves = (2 * (self._first_input + np.flatnonzero(column == literal))).tolist()
            made = YES if len(moves) == len(column) else self.any_of(moves)
            cases.append(self._and([made, self._new(literal)]))
        return self.any_of(cases)

    def legal_of(self, kinds: IntArray, legal: Sequence[frozenset[int]]) -> IntArray:
        found = []
        for kind in range(int(kinds.max()) + 1):
            members = np.flatnonzero(kinds == kind).tolist()
            found.append(self.any_of(self.all_of(legal[index]) for index in members))
        return np.array(found, np.int32)

    @property
    def gates(self) -> tuple[IntArray, IntArray]:
        return contents(self._table)

    def _new(self, literal: int) -> int:
        return int(self._mapping[literal >> 1]) ^ (literal & 1)

    def _and(self, literals: list[int]) -> int:
        made = int(make_and(self._table, np.array([*literals, NO], np.int32), len(literals)))
        if made == FULL:
            raise MemoryError("a part of the game needs more gates than were reserved for it")
        return made
