"""The moves of one phase of a game, and the states that they lead to.

If one role moves at a time, then after each of its moves, every literal of the next state is a
function of this state. All these functions are gates in one table, where equal ones are shared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gdl.circuit.and_gates import FULL, GateTable, make_and, new_table
from gdl.circuit.netlist import NO, YES, IntArray, Netlist
from gdl.circuit.passes.rewrite import renamed
from gdl.machine import is_random
from gdl.structure.cofactors import (
    cone_of,
    copy_gates,
    follow_each,
    make_changed,
    make_gates,
    own_literals,
    readers,
    work_on,
)

ROOM = 200_000  # gates to make room for, while a phase is built
ROOM_PER_GATE = 6  # literals to make room for, per gate
MAX_VISITS = 20_000_000  # gates visited; takes tenths of a second


class TooLargeError(Exception):
    """The functions need too many gates or too much time, or several roles move at once."""


@dataclass(eq=False)
class PhaseMoves:
    """The moves of a phase in which one role has a choice."""

    netlist: Netlist  # the rules of this phase
    mover: int  # the role that has a choice
    # The gates of the netlist, and new ones. Their sources are those of the netlist, except for the
    # inputs of roles that have no choice.
    table: GateTable
    mapping: IntArray  # [nodes] literal of the table for each node of the netlist
    inputs: list[int]  # inputs of the mover that may be legal
    following: IntArray  # [I, B] literal of each base's next value for each of the mover's inputs

    def renamed(self, literals: IntArray) -> IntArray:
        """Return literals of the table for literals of the netlist."""
        return renamed(self.mapping, literals)

    def one(self, literal: int) -> int:
        """Return the literal of the table for a literal of the netlist."""
        return int(self.mapping[literal >> 1]) ^ (literal & 1)

    @property
    def is_chance(self) -> bool:
        """Whether the mover is `random`, which neither looks for wins nor avoids losses."""
        return is_random(self.netlist.roles[self.mover])

    @property
    def legal(self) -> list[int]:
        """For each of `inputs`, the literal that says whether it is legal."""
        found: list[int] = self.renamed(self.netlist.legal[self.inputs]).tolist()
        return found

    @property
    def usual(self) -> IntArray:
        """The value `[B]` that each base has after most moves."""
        ordered = np.sort(self.following[self.inputs], axis=0)
        usual: IntArray = ordered[len(ordered) // 2]
        return usual

    def all_of(self, literals: Sequence[int]) -> int:
        """Return the literal of the AND of literals.

        Raises:
            TooLargeError: The table is full.
        """
        made = make_and(self.table, np.array([*literals, YES], np.int32), len(literals))
        if made == FULL:
            raise TooLargeError
        return int(made)

    def any_of(self, literals: Sequence[int]) -> int:
        """Return the literal of the OR of literals.

        Raises:
            TooLargeError: The table is full.
        """
        return self.all_of([literal ^ 1 for literal in literals]) ^ 1

    def after_each(self, offsets: IntArray, literals: IntArray, wanted: IntArray) -> list[IntArray]:
        """For each move, return the `wanted` literals of the next state as functions of this state.

        The wanted literals depend only on bases, through gates with these offsets and literals.

        Raises:
            TooLargeError: The functions need too many gates or too much time.
        """
        first_gate = self.netlist.first_gate
        needed, _, _ = cone_of((offsets, literals), np.zeros(0, np.int32), first_gate, wanted)
        gates = np.flatnonzero(needed[first_gate:]).astype(np.int32)
        if len(self.inputs) * len(gates) > MAX_VISITS:
            raise TooLargeError
        mapping = np.zeros(len(needed), np.int32)
        mapping[:first_gate] = NO
        bases = slice(1, 1 + self.netlist.num_bases)
        usual = self.usual
        mapping[bases] = usual
        work = work_on(offsets, literals, gates, self.table, mapping)
        if not make_gates(work):
            raise TooLargeError
        work.mapping[:] = work.idle
        found = []
        for number in self.inputs:
            work.mapping[bases] = self.following[number]
            work.is_changed[:] = 0
            work.is_changed[bases] = self.following[number] != usual
            if not make_changed(work):
                raise TooLargeError
            found.append(renamed(work.mapping, wanted))
        return found


def mover_of(netlist: Netlist) -> int | None:
    """Return the only role that ever has a choice in a phase, or None if there is no such role.

    Also return None if the rules are recursive within a state.
    """
    movers = [role for role, inputs in enumerate(_candidates(netlist)) if len(inputs) > 1]
    return movers[0] if len(movers) == 1 and not len(netlist.feedback) else None


def _candidates(netlist: Netlist) -> list[list[int]]:
    starts = netlist.role_starts.tolist()
    return [
        [number for number in range(first, last) if netlist.legal[number] != NO]
        for first, last in pairwise(starts)
    ]


def moves_of_phase(netlist: Netlist) -> PhaseMoves:
    """Return the moves of a phase.

    Raises:
        TooLargeError: `mover_of` returns None, or there are too many moves or gates.
    """
    starts, candidates = netlist.role_starts.tolist(), _candidates(netlist)
    mover = mover_of(netlist)
    if mover is None:
        raise TooLargeError
    table = new_table(netlist.first_gate, ROOM, ROOM_PER_GATE * ROOM)
    mapping = own_literals(netlist)
    for role, inputs in enumerate(candidates):
        if role != mover:
            nodes = netlist.first_input + np.arange(starts[role], starts[role + 1])
            mapping[nodes] = NO
            mapping[netlist.first_input + np.array(inputs, np.int64)] = YES
    if not copy_gates(netlist, mapping, table):
        raise TooLargeError
    first, last = starts[mover], starts[mover + 1]
    gates = readers(netlist, first, last)
    if (last - first) * (len(gates) + netlist.num_bases) > MAX_VISITS:
        raise TooLargeError
    work = work_on(netlist.offsets, netlist.literals, gates, table, mapping)._replace(
        following=netlist.next
    )
    work.idle[netlist.first_input + first : netlist.first_input + last] = NO
    following = np.empty((netlist.num_inputs, netlist.num_bases), np.int32)
    if not follow_each(work, netlist.first_input, first, last, following):
        raise TooLargeError
    return PhaseMoves(netlist, mover, table, mapping, candidates[mover], following)
