"""The structure of a game: all that is found out about its circuit."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gdl.circuit.netlist import NO, YES, IntArray, Netlist
from gdl.machine import is_random
from gdl.structure.cofactors import Cofactors, cofactors
from gdl.structure.dependence import BoolArray, Dependence, any_of, bases_read, cones, dependence
from gdl.structure.division import Division, divide
from gdl.structure.latches import Latch, latches

MOST_CELLS = 100_000_000  # of a table of bases and bases, or bases and inputs
MOST_VISITS = 1_500_000_000  # literals looked at for latches: a second or two


@dataclass(frozen=True, eq=False)
class PartView:
    """A game seen by some of its bases only. `B` bases, `I` inputs.

    Attributes:
        is_exact: Whether states that agree in all bases seen offer the same kinds of moves. If not,
            they may differ in whether a role can pass: make a move that changes nothing seen.
    """

    is_seen: BoolArray  # [B] which they are
    kinds: IntArray  # [I] number of each input's kind; those of different roles differ
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
    # They show how many moves the `random` role has: each is as likely as the others.
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


def _is_chance(functions: Cofactors) -> BoolArray:
    netlist = functions.netlist
    return np.array([is_random(netlist.roles[role]) for role, _ in netlist.inputs], np.bool_)


@dataclass(frozen=True, eq=False)
class Structure:
    """Structure of a game, as its circuit shows it. `B` bases, `I` inputs."""

    netlist: Netlist  # the circuit: names the bases and the inputs
    changes: BoolArray  # [B] whether a base changes at all
    is_autonomous: BoolArray  # [B] whether a base runs on its own: step counters, turns
    relevant: PartView  # seen by the bases that can make a difference to end or goals
    parts: Division  # what these fall into
    decoys: Division  # what the others fall into
    latches: tuple[Latch, ...]  # bases that stay as they are once they have a value

    @property
    def num_dead(self) -> int:
        """Bases that change and make no difference."""
        return int((self.changes & ~self.relevant.is_seen).sum())


def analyse(netlist: Netlist) -> Structure | None:
    """The structure of a game, given by its circuit with all facts; None if that is too large."""
    num_bases = netlist.num_bases
    if num_bases * max(num_bases, netlist.num_inputs) > MOST_CELLS:
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
        latches=latches(netlist, MOST_VISITS),
    )
