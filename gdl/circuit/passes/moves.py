"""Make gates on moves smaller: factor out parts of moves, and complement large sets of moves.

If moves name two cells, the rules decide for each pair of cells which piece arrives:

    arrives(to, piece) = or over from: does(from, to) & stands(from, piece)

A role makes at most one move, so the cell it leaves and the cell it enters can be treated
separately:

    moving(piece) = or over from: (or over to: does(from, to)) & stands(from, piece)
    arrives(to, piece) = (or over from: does(from, to)) & moving(piece)

skirmish has 21,000 gates of the first kind, and 800 of the second.

Most facts stay true unless a move affects them, and the rules list the moves one by one:

    stays(cell, piece) = stands(cell, piece) & or over all moves to other cells: does(move)

One of many moves is made if a move is made and it is not one of the other moves. So gates that ask
whether one of many moves is made are expressed by the few other moves. In skirmish and breakthrough
these are most of the gates for the next state.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from gdl.circuit.netlist import NO, BoolArray, Netlist
from gdl.circuit.passes.cone import drop_unused
from gdl.circuit.passes.rewrite import gathered, rename_outputs, replaced, rewrite
from gdl.circuit.passes.split import dependents

Condition = tuple[int, ...]  # literals
MoveSet = int  # bit i: input i

FEWEST = 4  # products that a sum must have to be considered
MAX_TRIED = 4  # families that each sum is compared with
GATE_LITERALS = 3  # the number of literals that cost as much as a gate


@dataclass(frozen=True)
class _Sum:
    """An OR of products within a gate. Each product is a move of one role and a condition."""

    gate: int
    role: int
    products: frozenset[int]  # nodes
    moves: MoveSet
    parts: dict[Condition, MoveSet]


@dataclass
class _Family:
    """Sums of one role that pair each move that they share with the same condition.

    A family has only one role. If it had two roles that move at once, the move of one could be
    taken for the move of the other.
    """

    parts: dict[Condition, MoveSet] = field(default_factory=dict)
    moves: MoveSet = 0
    sums: list[_Sum] = field(default_factory=list)

    def takes(self, new: _Sum) -> bool:
        if any(moves & new.moves & ~new.parts.get(c, 0) for c, moves in self.parts.items()):
            return False
        return not any(m & self.moves & ~self.parts.get(c, 0) for c, m in new.parts.items())

    def add(self, new: _Sum) -> None:
        for condition, moves in new.parts.items():
            self.parts[condition] = self.parts.get(condition, 0) | moves
        self.moves |= new.moves
        self.sums.append(new)


def rewrite_by_parts(netlist: Netlist) -> Netlist:
    """Factor sums of products of moves and conditions, if that makes the netlist smaller.

    The meaning stays the same, provided that each role makes at most one move.
    """
    moved = dependents(netlist, slice(netlist.first_input, netlist.first_feedback))
    families = _worthwhile(_families(_sums(netlist, moved)))
    if not families:
        return netlist
    return drop_unused(rewrite(_rewritten(netlist, families, moved)))


def _sums(netlist: Netlist, moved: BoolArray) -> list[_Sum]:
    offsets, literals, first_gate = netlist.offsets, netlist.literals, netlist.first_gate
    nodes = literals >> 1
    is_move = (nodes >= netlist.first_input) & (nodes < netlist.first_feedback)
    counted = np.stack([moved[nodes], is_move & (literals & 1 == 0)]).astype(np.int32)
    sums = np.concatenate([np.zeros((2, 1), np.int32), np.cumsum(counted, axis=1)], axis=1)
    of_gates = np.diff(sums[:, offsets], axis=1)
    is_product = np.zeros(len(moved), np.bool_)
    is_product[first_gate:] = (of_gates == 1).all(axis=0) & (np.diff(offsets) > 1)
    is_term = is_product[nodes] & (literals & 1 == 1)
    num_terms = np.diff(np.concatenate([[0], np.cumsum(is_term)])[offsets])
    owners = [role for role, _ in netlist.inputs]
    found = []
    for gate in np.flatnonzero(num_terms >= FEWEST).tolist():
        inside = slice(offsets[gate], offsets[gate + 1])
        products: dict[int, list[tuple[int, int, Condition]]] = {}
        for node in nodes[inside][is_term[inside]].tolist():
            start, stop = offsets[node - first_gate : node - first_gate + 2]
            members = literals[start:stop].tolist()
            move = next(lit for lit in members if moved[lit >> 1])
            index = (move >> 1) - netlist.first_input
            condition = tuple(lit for lit in members if lit != move)
            products.setdefault(owners[index], []).append((node, index, condition))
        found += [_sum(first_gate + gate, role, terms) for role, terms in products.items()]
    return [new for new in found if len(new.products) >= FEWEST]


def _sum(gate: int, role: int, terms: Iterable[tuple[int, int, Condition]]) -> _Sum:
    products, moves = set(), 0
    parts: dict[Condition, MoveSet] = {}
    for node, index, condition in terms:
        products.add(node)
        moves |= 1 << index
        parts[condition] = parts.get(condition, 0) | 1 << index
    return _Sum(gate, role, frozenset(products), moves, parts)


def _families(sums: Sequence[_Sum]) -> list[_Family]:
    families: list[_Family] = []
    asking: dict[tuple[int, Condition], list[int]] = {}  # families that contain a condition
    for new in sums:
        shared = Counter(i for part in new.parts for i in asking.get((new.role, part), ()))
        for index, number in shared.most_common(MAX_TRIED):
            if 2 * number >= len(new.parts) and families[index].takes(new):
                break
        else:
            index = len(families)
            families.append(_Family())
        for condition in new.parts.keys() - families[index].parts.keys():
            asking.setdefault((new.role, condition), []).append(index)
        families[index].add(new)
    return families


def _worthwhile(families: Iterable[_Family]) -> list[_Family]:
    known: set[MoveSet] = set()
    chosen = []
    for family in families:
        sets = {*family.parts.values(), *(old.moves for old in family.sums)} - known
        in_sets = sum(moves.bit_count() for moves in sets if moves & (moves - 1))
        before = sum(len(old.products) for old in family.sums)
        after = len(family.parts) + len(family.sums)
        if (1 + GATE_LITERALS) * before > (1 + GATE_LITERALS) * after + in_sets:
            known |= sets
            chosen.append(family)
    return chosen


class _Growing:
    """New gates for a netlist. Equal sets of moves share a gate."""

    def __init__(self, first_node: int, first_input: int) -> None:
        self.gates: list[list[int]] = []
        self._first_node = first_node
        self._first_input = first_input
        self._of_moves: dict[MoveSet, int] = {}

    def all_of(self, literals: Iterable[int]) -> int:
        self.gates.append(sorted(set(literals)))
        return 2 * (self._first_node + len(self.gates) - 1)

    def any_of(self, literals: Iterable[int]) -> int:
        return self.all_of(literal ^ 1 for literal in literals) ^ 1

    def move_in(self, moves: MoveSet) -> int:
        if moves not in self._of_moves:
            bits = reversed(f"{moves:b}")
            indices = [i for i, bit in enumerate(bits) if bit == "1"]
            self._of_moves[moves] = self.any_of(2 * (self._first_input + i) for i in indices)
        return self._of_moves[moves]


def _rewritten(netlist: Netlist, families: Iterable[_Family], moved: BoolArray) -> Netlist:
    """Factor the families. Gates without moves come first, then new gates, then the rest."""
    first_gate = netlist.first_gate
    is_late = moved[first_gate:]
    num_early = first_gate + int((~is_late).sum())
    number = np.arange(len(moved), dtype=np.int32)
    number[first_gate:][~is_late] = np.arange(first_gate, num_early)
    growing = _Growing(num_early, netlist.first_input)
    renamed: dict[int, list[tuple[frozenset[int], int]]] = {}  # per gate: old products and new term
    for family in families:
        terms = [
            growing.all_of([*(2 * int(number[c >> 1]) + (c & 1) for c in part), move])
            for part, move in ((p, growing.move_in(m)) for p, m in family.parts.items())
        ]
        happens = growing.any_of(terms)
        for old in family.sums:
            new = growing.all_of([growing.move_in(old.moves), happens])
            renamed.setdefault(old.gate, []).append((old.products, new ^ 1))
    number[first_gate:][is_late] = num_early + len(growing.gates) + np.arange(is_late.sum())
    mapping = 2 * number
    literals = mapping[netlist.literals >> 1] ^ (netlist.literals & 1)
    changed = {}
    for gate, terms_of in renamed.items():
        start, stop = netlist.offsets[gate - first_gate : gate - first_gate + 2]
        members = literals[start:stop].tolist()
        for products, new in terms_of:
            gone = {int(mapping[node]) + 1 for node in products}
            members = [literal for literal in members if literal not in gone] + [new]
        changed[gate - first_gate] = members
    offsets, literals = replaced(netlist.offsets, literals, changed)
    early, late = (gathered(offsets, literals, np.flatnonzero(is_late == x)) for x in (False, True))
    sizes = [np.diff(early[0]), [len(gate) for gate in growing.gates], np.diff(late[0])]
    added = [literal for gate in growing.gates for literal in gate]
    return replace(
        rename_outputs(netlist, mapping),
        offsets=np.cumsum(np.concatenate([[0], *sizes])).astype(np.int32),
        literals=np.concatenate([early[1], added, late[1]]).astype(np.int32),
    )


MIN_LOST = 8  # number of literals that a gate must lose


def complement_moves(netlist: Netlist) -> Netlist:
    """Let each gate name at most half of a role's moves, if that makes the netlist smaller.

    The meaning stays the same, provided that each role makes at most one move, and only moves that
    are legal in some state.
    """
    rewriting = _Rewriting(netlist)
    is_move = (netlist.literals & 1 == 1) & (netlist.literals >> 1 >= netlist.first_input)
    is_move &= netlist.literals >> 1 < netlist.first_feedback
    num_moves = np.diff(np.concatenate([[0], np.cumsum(is_move)])[netlist.offsets])
    least = min((len(moves) for moves in rewriting.moves if len(moves) > 1), default=0) // 2
    wide = np.flatnonzero(num_moves > max(MIN_LOST, least))
    gates = {gate: rewriting.shorter(gate) for gate in wide.tolist()}
    if not rewriting.gates:
        return netlist
    return drop_unused(rewrite(_with_new_gates(netlist, gates, rewriting.gates)))


class _Rewriting:
    """Builder of gates which say that a role makes a move other than certain moves."""

    def __init__(self, netlist: Netlist) -> None:
        self.gates: list[list[int]] = []  # they are placed before those of the netlist
        self._netlist = netlist
        self._known: dict[tuple[int, ...], int] = {}
        self.moves = [
            {2 * (netlist.first_input + i) for i in range(first, last) if netlist.legal[i] != NO}
            for first, last in pairwise(netlist.role_starts.tolist())
        ]

    def shorter(self, gate: int) -> tuple[set[int], list[int]]:
        start, stop = self._netlist.offsets[gate : gate + 2]
        literals = set(self._netlist.literals[start:stop].tolist())
        added = []
        for moves in self.moves:
            named = {move for move in moves if move + 1 in literals}
            others = moves - named
            if len(named) >= len(others) + MIN_LOST:
                literals -= {move + 1 for move in named}
                made = self._all_of(move + 1 for move in moves) ^ 1
                added.append(self._all_of([made, *(move + 1 for move in others)]) ^ 1)
        return literals, added

    def _all_of(self, literals: Iterable[int]) -> int:
        key = tuple(sorted(literals))
        if len(key) == 1:
            return key[0]
        if key not in self._known:
            self._known[key] = 2 * (self._netlist.first_gate + len(self.gates))
            self.gates.append(list(key))
        return self._known[key]


def _with_new_gates(
    netlist: Netlist,
    changed: dict[int, tuple[set[int], list[int]]],
    new_gates: list[list[int]],
) -> Netlist:
    mapping = 2 * np.arange(netlist.first_gate + netlist.num_gates, dtype=np.int32)
    mapping[netlist.first_gate :] += 2 * len(new_gates)
    literals = mapping[netlist.literals >> 1] ^ (netlist.literals & 1)
    named = {
        gate: [*(int(mapping[literal >> 1]) ^ (literal & 1) for literal in old), *new]
        for gate, (old, new) in changed.items()
    }
    offsets, literals = replaced(netlist.offsets, literals, named)
    ends = np.cumsum([0, *map(len, new_gates)])
    added = np.array([literal for gate in new_gates for literal in gate], np.int32)
    return replace(
        rename_outputs(netlist, mapping),
        offsets=np.concatenate([ends[:-1], ends[-1] + offsets]).astype(np.int32),
        literals=np.concatenate([added, literals]).astype(np.int32),
    )
