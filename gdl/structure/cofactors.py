"""Cofactors: the functions of the state that remain when a role's move is fixed.

For each move of a role, the next value of a base is a function of the state. Most moves share the
same function. Functions are compared as gates. Equal gates are equal functions, but different gates
may mean the same function. So every equality and independence that is reported is certain, but some
are missed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl.circuit.and_gates import FULL, GateTable, make_and, mark_cone, new_table, rebuild
from gdl.circuit.netlist import NO, YES, ByteArray, IntArray, Netlist
from gdl.circuit.passes.rewrite import renamed
from gdl.circuit.passes.split import dependents
from gdl.native.jit import kernel_elsewhere as kernel

MAX_VISITS = 1_500_000_000  # literals visited; takes a second or two
ROOM = 1_000_000  # gates to make room for, beyond those of the netlist
ROOM_PER_GATE = 8  # literals to make room for, per gate


@dataclass(frozen=True, eq=False)
class Cofactors:
    """For each fixed move, functions of the state.

    There are `B` bases, `I` inputs and `F` feedback nodes.
    """

    netlist: Netlist
    table: GateTable  # gates of the functions; the sources are those of the netlist
    following: IntArray  # [I, B] literal of each base's next value after the move of an input
    legal: IntArray  # [I] literal that says whether each input is legal
    goals: IntArray
    terminal: int
    feedback: IntArray  # [F] literals that define the feedback nodes

    def any_of(self, literals: IntArray) -> int:
        """Return the literal of the OR of `literals`, or YES if the table has no room for it.

        YES is a safe substitute, because it is true whenever the OR is true.
        """
        buffer = np.concatenate([literals ^ 1, literals]).astype(np.int32)
        made = make_and(self.table, buffer, len(literals))
        return YES if made == FULL else made ^ 1


def cofactors(netlist: Netlist, most_visits: int = MAX_VISITS) -> Cofactors | None:
    """Return the cofactors of a netlist, or None if computing them is too much work."""
    starts = netlist.role_starts
    reads = [readers(netlist, starts[role], starts[role + 1]) for role in range(len(netlist.roles))]
    visits = sum(
        int(starts[role + 1] - starts[role]) * (_num_literals(netlist, gates) + netlist.num_bases)
        for role, gates in enumerate(reads)
    )
    if visits > most_visits:
        return None
    room = netlist.num_gates + ROOM
    table = new_table(netlist.first_gate, room, len(netlist.literals) + ROOM_PER_GATE * ROOM)
    mapping = own_literals(netlist)
    if not copy_gates(netlist, mapping, table):
        return None
    following = np.empty((netlist.num_inputs, netlist.num_bases), np.int32)
    for role, gates in enumerate(reads):
        first, last = int(starts[role]), int(starts[role + 1])
        work = work_on(netlist.offsets, netlist.literals, gates, table, mapping)
        work = work._replace(following=netlist.next)
        work.idle[netlist.first_input + first : netlist.first_input + last] = NO
        if not follow_each(work, netlist.first_input, first, last, following):
            return None

    return Cofactors(
        netlist=netlist,
        table=table,
        following=following,
        legal=renamed(mapping, netlist.legal),
        goals=renamed(mapping, netlist.goal_literals),
        terminal=int(renamed(mapping, np.array([netlist.terminal]))[0]),
        feedback=renamed(mapping, netlist.feedback),
    )


def own_literals(netlist: Netlist) -> IntArray:
    """Return a mapping `[nodes]` from each source of a netlist to its own literal.

    The caller has to fill in the entries of gates.
    """
    mapping = np.zeros(netlist.first_gate + netlist.num_gates, np.int32)
    mapping[: netlist.first_gate] = 2 * np.arange(netlist.first_gate)
    return mapping


def copy_gates(netlist: Netlist, mapping: IntArray, table: GateTable) -> bool:
    """Add a netlist's gates to a table, and enter their literals in `mapping`.

    Return whether the table had room for them.
    """
    buffers = np.empty((2, len(netlist.literals) + 1), np.int32)
    kept = np.ones(netlist.num_gates, np.int32)
    return bool(rebuild(netlist.offsets, netlist.literals, mapping, kept, table, buffers))


def cone_of(
    gates: tuple[IntArray, IntArray], feedback: IntArray, first_gate: int, wanted: IntArray
) -> tuple[NDArray[np.bool_], IntArray, IntArray]:
    """Return whether the `wanted` literals depend on each node, `[nodes]`.

    Also return the offsets and literals of the gates on which they depend.
    """
    offsets, literals = gates
    needed = np.zeros(first_gate + len(offsets) - 1, np.bool_)
    needed[wanted >> 1] = True
    mark_cone(offsets, literals, feedback, first_gate, needed)
    found = np.flatnonzero(needed[first_gate:]).tolist()
    parts = [literals[offsets[gate] : offsets[gate + 1]] for gate in found]
    kept = np.cumsum([0, *map(len, parts)]).astype(np.int32)
    return needed, kept, np.concatenate([np.zeros(0, np.int32), *parts])


def readers(netlist: Netlist, first: int, last: int) -> IntArray:
    """Return the gates that depend on inputs from `first` to `last` (exclusive), in order."""
    moved = dependents(netlist, slice(netlist.first_input + first, netlist.first_input + last))
    return np.flatnonzero(moved[netlist.first_gate :]).astype(np.int32)


def _num_literals(netlist: Netlist, gates: IntArray) -> int:
    return int((netlist.offsets[gates + 1] - netlist.offsets[gates]).sum())


class CofactorWork(NamedTuple):
    """Inputs and scratch buffers of the cofactor kernels."""

    offsets: IntArray  # [G + 1] of the netlist's gates
    literals: IntArray
    following: IntArray  # [B] the next value of each base
    gates: IntArray  # gates that depend on a move of the role, ascending
    table: GateTable  # the gates of the functions are added to it
    idle: IntArray  # [nodes] new literal of each old node if the role makes no move
    mapping: IntArray  # [nodes] likewise if the role makes the current move
    is_changed: ByteArray  # [nodes] whether `idle` and `mapping` differ
    buffer: IntArray


def work_on(
    offsets: IntArray, literals: IntArray, gates: IntArray, table: GateTable, mapping: IntArray
) -> CofactorWork:
    """Return the inputs and scratch buffers of the kernels. The caller must set `following`."""
    return CofactorWork(
        offsets,
        literals,
        np.zeros(0, np.int32),
        gates,
        table,
        idle=mapping.copy(),
        mapping=mapping.copy(),
        is_changed=np.zeros(len(mapping), np.uint8),
        buffer=np.empty(len(literals) + 1, np.int32),
    )


@kernel
def follow_each(
    work: CofactorWork, first_input: int, first: int, last: int, result: IntArray
) -> bool:
    """Write the literal of each base's next value for each move of a role into `result` `[I, B]`.

    Return whether the table had room. The nodes of the role's inputs must be mapped to NO.
    """
    # First map the gates without a move of the role. Each move changes only a few of them.
    if not make_gates(work):
        return False
    for node in range(len(work.idle)):
        work.mapping[node] = work.idle[node]
    for index in range(first, last):
        work.mapping[first_input + index] = YES
        work.is_changed[first_input + index] = 1
        if not make_changed(work):
            return False
        for base in range(len(work.following)):
            literal = work.following[base]
            result[index, base] = work.mapping[literal >> 1] ^ (literal & 1)
        work.mapping[first_input + index] = NO
        work.is_changed[first_input + index] = 0
    return True


@kernel
def make_gates(work: CofactorWork) -> bool:
    """In the mapping `idle`, fill in the literals of all gates, given those of their sources.

    Return whether the table had room.
    """
    for gate in work.gates:
        if not _make(work, gate, work.idle):
            break
    else:
        return True
    return False


@kernel
def make_changed(work: CofactorWork) -> bool:
    """Update all gates after sources of `mapping` changed. Return whether the table had room."""
    for gate in work.gates:
        if not _change(work, gate):
            break
    else:
        return True
    return False


@kernel
def _change(work: CofactorWork, gate: int) -> bool:
    node = len(work.idle) - (len(work.offsets) - 1) + gate
    work.mapping[node] = work.idle[node]
    work.is_changed[node] = 0
    for k in range(work.offsets[gate], work.offsets[gate + 1]):
        if work.is_changed[work.literals[k] >> 1]:
            if not _make(work, gate, work.mapping):
                return False
            work.is_changed[node] = work.mapping[node] != work.idle[node]
            break
    return True


@kernel
def _make(work: CofactorWork, gate: int, mapping: IntArray) -> bool:
    size = 0
    for k in range(work.offsets[gate], work.offsets[gate + 1]):
        literal = mapping[work.literals[k] >> 1] ^ (work.literals[k] & 1)
        if literal == NO:
            work.buffer[0] = NO
            size = 1
            break
        if literal != YES:
            work.buffer[size] = literal
            size += 1
    made = make_and(work.table, work.buffer, size)
    mapping[len(mapping) - (len(work.offsets) - 1) + gate] = made
    return made != FULL
