"""Separation: which bases of a game of one role can be searched without the others.

There are two ways in which a game falls apart. Either each move acts on one part, and the others go
on as if nothing was done: two boards, of which one is played on at a time. Or a move is made of a
move for each part, each with each: two boards on both of which something is done at a time.

Other than in `division`, goals hold nothing together: `goal_conditions` says what they ask of the
parts.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gdl.structure.cofactors import Cofactors
from gdl.structure.dependence import Dependence
from gdl.structure.division import NONE, join_all, join_rows, join_what_moves_touch, root_of
from gdl.structure.support import BoolArray, Cones, bases_read

IntArray = NDArray[np.int32]

MOST_PAIRED = 200  # bases that are tried to be told apart by pairs of moves


def separate(
    functions: Cofactors, depends: Dependence, room: Cones, is_counted: BoolArray
) -> IntArray:
    """`[B]` the part of each base, NONE for those that run on their own or do not count.

    All of one part if the game does not fall apart.
    """
    is_inside = is_counted & ~depends.is_autonomous
    _, parents = join_what_moves_touch(depends, is_inside)
    parts = _numbered(parents, is_inside)
    if parts.max(initial=NONE) > 0 or not 1 < is_inside.sum() <= MOST_PAIRED:
        return parts
    paired = _paired(functions, depends, room, is_inside)
    return parts if paired is None else paired


def conjuncts(functions: Cofactors, literal: int) -> Iterator[int]:
    """The literals that all hold, exactly if a literal does."""
    gate = (literal >> 1) - functions.netlist.first_gate
    if literal & 1 or gate < 0:
        yield literal
        return
    table = functions.table
    for source in table.literals[table.offsets[gate] : table.offsets[gate + 1]].tolist():
        yield from conjuncts(functions, source)


def _numbered(parents: IntArray, is_inside: BoolArray) -> IntArray:
    """`[B]` the sets of bases, numbered."""
    bases = np.flatnonzero(is_inside)
    parts = np.full(len(is_inside), NONE, np.int32)
    roots = [root_of(parents, base) for base in bases.tolist()]
    parts[bases] = np.unique(np.array(roots, np.int32), return_inverse=True)[1]
    return parts


def _paired(
    functions: Cofactors, depends: Dependence, room: Cones, is_inside: BoolArray
) -> IntArray | None:
    """The parts, if moves are made of a move for each, each with each; None if they are not."""
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
    """`[I]` what each input does to some bases, numbered."""
    rows = np.ascontiguousarray(functions.following[:, bases])
    return np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int32)


def _is_product(kinds: list[IntArray]) -> bool:
    """Whether there is an input for each choice of a kind of each."""
    num = 1
    for each in kinds:
        num *= int(each.max(initial=-1)) + 1
        if num > len(each):
            return False
    return len(np.unique(np.array(kinds), axis=1).T) == num
