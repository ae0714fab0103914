"""Relevance: which bases and moves can ever make a difference to some bases.

A base matters if the next value of a base that matters depends on it, or whether a move is legal
that makes a difference to one. Moves that lead to the same values of all bases that matter are of
one *kind*: one is as good as the other, and it is enough to know whether one of them is legal.

In most games that have decoys there is, for each role, a kind of moves that change nothing that
matters; it passes. Whether a role can pass may depend on the decoy, so that what was said above
would make the decoy matter. It is left out, and `is_exact` says whether that makes no difference:
otherwise states that agree in all that matters may differ in whether a role can pass, now or later.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gdl.machine import is_random
from gdl.structure.cofactors import Cofactors
from gdl.structure.dependence import Dependence
from gdl.structure.support import BoolArray, any_of, bases_read, cones

IntArray = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class PartView:
    """A game seen by some of its bases only. `B` bases, `I` inputs.

    Attributes:
        is_seen: `[B]` which they are.
        kinds: `[I]` number of each input's kind; those of different roles differ.
        is_exact: Whether states that agree in all bases seen offer the same kinds of moves. If not,
            they may differ in whether a role can pass: make a move that changes nothing seen.
    """

    is_seen: BoolArray  # [B]
    kinds: IntArray  # [I]
    is_exact: bool

    @property
    def num_kinds(self) -> int:
        """Number of kinds of inputs."""
        return int(self.kinds.max(initial=-1)) + 1


def ends_read(functions: Cofactors) -> BoolArray:
    """`[B]` the bases that the end and the goals depend on."""
    named = np.array([functions.terminal, *functions.goals], np.int32)
    return bases_read(cones(functions), named, functions.netlist.num_bases)


def view_of(functions: Cofactors, depends: Dependence, bases: BoolArray) -> PartView:
    """The least view of a game that shows how some bases go on."""
    num_bases = len(bases)
    is_seen = bases | _read_by_chance(functions, depends)
    while True:
        is_seen = _closed(depends.next_reads, is_seen)
        known = int(is_seen.sum())
        kinds, passing = _kinds(functions, depends, is_seen)
        needed, passes = _legality(functions, kinds, passing)
        room = cones(functions)
        is_seen = is_seen | bases_read(room, needed, num_bases)
        missing = [bases_read(room, passes[[i]], num_bases) & ~is_seen for i in range(len(passes))]
        for unseen in missing:
            # What runs on its own costs nothing to know.
            if not (unseen & ~depends.is_autonomous).any():
                is_seen |= unseen
        if known == int(is_seen.sum()):
            return PartView(is_seen, kinds, not any(unseen.any() for unseen in missing))


def _closed(next_reads: BoolArray, bases: BoolArray) -> BoolArray:
    """The bases, those that their next values depend on, and so on."""
    num = -1
    while num != (num := int(bases.sum())):
        bases = bases | any_of(next_reads[bases], axis=0)
    return bases


def _kinds(
    functions: Cofactors, depends: Dependence, is_seen: BoolArray
) -> tuple[IntArray, set[int]]:
    """The kind of each input, and the kinds that change nothing seen."""
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
    """The literals that say that a move of a kind is legal: of most kinds, and of those that pass.

    A role with one kind of moves can make one as long as the game goes on.
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


def _read_by_chance(functions: Cofactors, depends: Dependence) -> BoolArray:
    """The bases that show how many moves the `random` role has: each is as likely as the others."""
    return any_of(depends.legal_reads[_is_chance(functions)], axis=0)


def _is_chance(functions: Cofactors) -> BoolArray:
    netlist = functions.netlist
    return np.array([is_random(netlist.roles[role]) for role, _ in netlist.inputs], np.bool_)
