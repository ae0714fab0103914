"""Dependence of next values and of legality on bases and moves, and the division of games.

A base depends on a move of a role if its next value after that move differs from its next value
after most moves of the role. Bases that depend on no move, and on no base that does, run on their
own: step counters, or the role to move.

Division finds the parts of a game that do not affect each other. Bases belong together if the next
value of one depends on the other. A move belongs with the bases that depend on it, and with those
that its legality depends on. Bases that run on their own connect nothing. A move that acts on
several parts at once joins them.

A goal is treated as conditions on parts, joined by "and" or "or". Bases that one condition reads
also belong together, so the columns of connect four are one board. Up to two nested levels of "and"
and "or" are split into conditions. But a formula inside the goal that joins facts, such as "a line
of four", is one condition. The lowest number of levels that results in several parts is used.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from gdl.circuit.netlist import BoolArray, IntArray
from gdl.native.jit import kernel_elsewhere as kernel
from gdl.structure.cofactors import Cofactors


class Cones(NamedTuple):
    """Gates of cofactors, and scratch buffers for walks over them."""

    offsets: IntArray
    literals: IntArray
    feedback: IntArray  # [F]
    first_gate: int
    first_input: int
    stamps: IntArray  # [nodes] the last walk that visited the node
    stack: IntArray
    walk: IntArray  # [1] the current walk


def cones(functions: Cofactors) -> Cones:
    """Return the gates made so far, and scratch buffers for walks over them."""
    table, netlist = functions.table, functions.netlist
    num_gates = int(table.sizes[0])
    num_nodes = netlist.first_gate + num_gates
    num_literals = int(table.offsets[num_gates])
    return Cones(
        offsets=table.offsets[: num_gates + 1],
        literals=table.literals[:num_literals],
        feedback=functions.feedback,
        first_gate=netlist.first_gate,
        first_input=netlist.first_input,
        stamps=np.zeros(num_nodes, np.int32),
        stack=np.zeros(2 * num_nodes + num_literals + len(functions.feedback) + 1, np.int32),
        walk=np.zeros(1, np.int32),
    )


def any_of(rows: BoolArray, axis: int) -> BoolArray:
    """Return the OR along an axis. numpy's own function has a less precise return type."""
    found: BoolArray = np.asarray(rows.any(axis=axis))
    return found


def bases_read(room: Cones, literals: IntArray, num_bases: int) -> BoolArray:
    """Return whether at least one of the literals depends on each base, `[B]`."""
    found = np.zeros(num_bases, np.bool_)
    mark_bases(room, np.unique(literals).astype(np.int32), found)
    return found


@kernel
def mark_bases(room: Cones, literals: IntArray, found: BoolArray) -> None:
    """Mark in `found` the bases that literals depend on, directly or through feedback."""
    room.walk[0] += 1
    for literal in literals:
        room.stack[0] = literal >> 1
        height = 1
        while height > 0:
            height = _walk_on(room, height - 1, found)


@kernel
def _walk_on(room: Cones, height: int, found: BoolArray) -> int:
    walk, stack, stamps = room.walk[0], room.stack, room.stamps
    node, first_feedback = stack[height], room.first_gate - len(room.feedback)
    if stamps[node] == walk:
        return height
    stamps[node] = walk
    if node >= room.first_gate:
        gate = node - room.first_gate
        for k in range(room.offsets[gate], room.offsets[gate + 1]):
            stack[height] = room.literals[k] >> 1
            height += stamps[stack[height]] != walk
    elif node >= first_feedback:
        stack[height] = room.feedback[node - first_feedback] >> 1
        height += 1
    elif 0 < node < room.first_input:
        found[node - 1] = True
    return int(height)


@dataclass(frozen=True, eq=False)
class Dependence:
    """Flags that say which of the `B` bases and `I` inputs of a game depend on which others."""

    next_reads: BoolArray  # [B, B] row b: the bases that the next value of base b depends on
    moves: BoolArray  # [I, B] whether base b depends on the move of input i
    legal_reads: BoolArray  # [I, B] the bases that the legality of input i depends on
    is_autonomous: BoolArray  # [B] whether a base runs on its own


def dependence(functions: Cofactors, room: Cones) -> Dependence:
    """Find the dependences between the bases and inputs of a game."""
    netlist = functions.netlist
    num_bases = netlist.num_bases
    roles = [(a, b) for a, b in pairwise(netlist.role_starts.tolist()) if a < b]
    moves = np.zeros((netlist.num_inputs, num_bases), np.bool_)
    next_reads = np.ones((num_bases, num_bases), np.bool_)
    for base in range(num_bases):
        for first, last in roles:
            column = functions.following[first:last, base]
            kinds, counts = np.unique(column, return_counts=True)
            # In a tie, assume that the base usually keeps its value.
            counts = 2 * counts + (kinds == 2 * (1 + base))
            moves[first:last, base] = column != kinds[counts.argmax()]
            next_reads[base] &= bases_read(room, kinds, num_bases)
        if not roles:
            next_reads[base] = bases_read(room, netlist.next[[base]], num_bases)
    legal_reads = np.zeros((netlist.num_inputs, num_bases), np.bool_)
    for index in range(netlist.num_inputs):
        legal_reads[index] = bases_read(room, functions.legal[[index]], num_bases)
    return Dependence(next_reads, moves, legal_reads, _autonomous(next_reads, moves))


def _autonomous(next_reads: BoolArray, moves: BoolArray) -> BoolArray:
    found = ~any_of(moves, axis=0)
    num = -1
    while num != (num := int(found.sum())):
        found &= ~any_of(next_reads[:, ~found], axis=1)
    return found


NONE = -1  # part number of bases and inputs that belong to no part
DEPTHS = (1, 2)  # levels of "and" and "or" at which conditions are joined
MAX_CONDITIONS = 1000  # if there are more conditions, they are treated as one


@dataclass(frozen=True, eq=False)
class Division:
    """Parts of a game that has `B` bases and `I` inputs."""

    num_parts: int
    part_of_base: IntArray  # [B] the part of each base; NONE if it runs on its own or never changes
    part_of_input: IntArray  # [I] the part of each input; NONE if it changes nothing

    def sizes(self) -> list[tuple[int, int]]:
        """Return the numbers of bases and inputs of each part."""
        bases = np.bincount(self.part_of_base[self.part_of_base >= 0], minlength=self.num_parts)
        inputs = np.bincount(self.part_of_input[self.part_of_input >= 0], minlength=self.num_parts)
        return list(zip(bases.tolist(), inputs.tolist(), strict=True))


def divide(functions: Cofactors, depends: Dependence, is_counted: BoolArray) -> Division:
    """Return the parts of a game. Only bases in `is_counted` are considered."""
    is_inside = is_counted & ~depends.is_autonomous
    num_bases = len(is_inside)
    acts, parents = join_what_moves_touch(depends, is_inside)
    is_node = np.concatenate([is_inside, acts])
    conditions = _Conditions(functions, is_inside)
    for depth in DEPTHS:
        joined = parents.copy()
        reads = conditions.reads(depth)
        join_rows(reads, is_inside, joined)
        division = _division(joined, is_node, num_bases)
        if division.num_parts > 1:
            break
    return division


def join_what_moves_touch(depends: Dependence, is_inside: BoolArray) -> tuple[BoolArray, IntArray]:
    """Find groups of inside bases and of moves that depend on each other.

    Return flags of the inputs that act on inside bases, and the groups. The groups are the sets of
    a union-find structure, given as the parent of each node. The nodes are the bases, then the
    inputs.
    """
    num_bases = len(is_inside)
    acts = any_of(depends.moves & is_inside, axis=1)
    parents = np.arange(num_bases + len(acts), dtype=np.int32)
    join_all(
        depends.next_reads, np.arange(num_bases, dtype=np.int32), is_inside, is_inside, parents
    )
    inputs = np.arange(num_bases, len(parents), dtype=np.int32)
    join_all(depends.moves, inputs, acts, is_inside, parents)
    join_all(depends.legal_reads, inputs, acts, is_inside, parents)
    return acts, parents


def _division(parents: IntArray, is_node: BoolArray, num_bases: int) -> Division:
    roots = np.array([root_of(parents, node) for node in range(len(parents))], np.int32)
    parts = np.full(len(parents), NONE, np.int32)
    names, numbers = np.unique(roots[is_node], return_inverse=True)
    parts[is_node] = numbers
    return Division(len(names), parts[:num_bases], parts[num_bases:])


class _Conditions:
    def __init__(self, functions: Cofactors, is_inside: BoolArray) -> None:
        self._functions = functions
        self._room = cones(functions)
        self._is_inside = is_inside

    def reads(self, depth: int) -> BoolArray:
        functions = self._functions
        roots = set(functions.goals.tolist())
        terms = list({literal for root in roots for literal in self._terms(root, depth)})
        groups = [[term] for term in terms] if len(terms) <= MAX_CONDITIONS else [terms]
        num_bases = len(self._is_inside)
        rows = [bases_read(self._room, np.array(group, np.int32), num_bases) for group in groups]
        return np.array(rows, np.bool_).reshape(len(rows), num_bases)

    def _terms(self, literal: int, depth: int, is_goal: bool = True) -> Iterable[int]:
        """Split a literal into its conditions, at most `depth` levels of "and" and "or" deep."""
        table, gate = self._functions.table, (literal >> 1) - self._functions.netlist.first_gate
        if depth == 0 or gate < 0:
            yield literal
            return
        sources = table.literals[table.offsets[gate] : table.offsets[gate + 1]].tolist()
        if not is_goal and min(sources) >> 1 < self._functions.netlist.first_gate:
            yield literal
            return
        for source in sources:
            # An "and" directly within an "and" is not a new level.
            yield from self._terms(source, depth - (source & 1), is_goal and source & 1 == 0)


@kernel
def root_of(parents: IntArray, node: int) -> int:
    """Return the node that stands for a node's set. It is the same for all members of the set."""
    while parents[node] != node:
        parents[node] = parents[parents[node]]
        node = parents[node]
    return int(node)


@kernel
def join_all(
    reads: BoolArray, nodes: IntArray, rows: BoolArray, columns: BoolArray, parents: IntArray
) -> None:
    """For each row in `rows`, join its node with the columns in `columns` that the row reads."""
    for row in range(len(rows)):
        if not rows[row]:
            continue
        for column in range(len(columns)):
            if columns[column] and reads[row, column]:
                parents[root_of(parents, nodes[row])] = root_of(parents, column)


@kernel
def join_rows(reads: BoolArray, columns: BoolArray, parents: IntArray) -> None:
    """For each row, join the columns that it reads with each other, if they are in `columns`."""
    for row in range(len(reads)):
        last = -1
        for column in range(len(columns)):
            if columns[column] and reads[row, column]:
                before = last if last >= 0 else column
                parents[root_of(parents, column)] = root_of(parents, before)
                last = column
