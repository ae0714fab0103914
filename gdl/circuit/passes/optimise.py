"""`optimise`, which repeats the general passes, and the first of these passes, `fold_constants`.

`fold_constants` replaces bases that never change by their values wherever they are read. A base is
assumed to keep its first value as long as its next value follows from these assumptions alone. Once
no assumption fails any more, the remaining ones are true in all reachable states, by induction.
"""

from __future__ import annotations

import time

import numpy as np

from gdl.circuit.netlist import NO, YES, ByteArray, IntArray, Netlist
from gdl.circuit.passes.cone import drop_unused, for_play
from gdl.circuit.passes.merge_equal_bases import merge_equal_bases
from gdl.circuit.passes.rewrite import flatten, rewrite
from gdl.native.jit import lane_kernel

OPEN = 2  # neither 0 nor 1 in all states

MAX_VISITS = 400_000_000  # literals visited before giving up, after about a second


def fold_constants(netlist: Netlist) -> Netlist:
    """Replace bases and feedback nodes that never change by their values, wherever gates read them.

    The bases stay in the netlist, with a `next` of YES or NO. Feedback nodes that always equal a
    base or another feedback node are replaced as well.
    """
    values = constant_bases(netlist)
    sources = 2 * np.arange(netlist.first_gate, dtype=np.int32)
    bases = sources[1 : netlist.first_input]
    bases[values == 0] = NO
    bases[values == 1] = YES
    sources[netlist.first_feedback :] = _fed_back(netlist)
    return rewrite(netlist, sources=sources)


def _fed_back(netlist: Netlist) -> IntArray:
    """Return the literal that replaces each feedback node: its definition, if that is simple.

    A definition is simple if it is a constant, a base, or a feedback node that is defined by a
    gate.
    """
    own = 2 * np.arange(netlist.first_feedback, netlist.first_gate, dtype=np.int32)
    defined = netlist.feedback
    is_gate = defined >= 2 * netlist.first_gate
    is_settled = defined < 2 * netlist.first_input
    other = np.where(is_gate | is_settled, 0, (defined >> 1) - netlist.first_feedback)
    is_alike = ~is_gate & ~is_settled & is_gate[other] if len(own) else is_gate
    return np.where(is_settled | is_alike, defined, own).astype(np.int32)


def constant_bases(netlist: Netlist) -> ByteArray:
    """Return the value of each base in all reachable states, `[B]`: 0, 1 or OPEN."""
    values = np.full(netlist.first_gate + netlist.num_gates, OPEN, np.uint8)
    values[0] = 0
    values[1 : netlist.first_input] = netlist.init
    rounds = 2 + MAX_VISITS // (1 + len(netlist.literals))
    if not _spread(netlist.offsets, netlist.literals, netlist.next, values, rounds):
        values[:] = OPEN
    return values[1 : netlist.first_input].copy()


@lane_kernel
def _value(literals: IntArray, values: ByteArray) -> int:
    value = 1
    for literal in literals:
        source = values[literal >> 1]
        if source == OPEN:
            value = OPEN
        elif source == literal & 1:
            return 0
    return value


@lane_kernel
def _spread(
    offsets: IntArray, literals: IntArray, following: IntArray, values: ByteArray, rounds: int
) -> bool:
    num_gates = len(offsets) - 1
    first = len(values) - num_gates
    for _ in range(rounds):
        for gate in range(num_gates):
            values[first + gate] = _value(literals[offsets[gate] : offsets[gate + 1]], values)
        changed = False
        for base in range(len(following)):
            value = values[following[base] >> 1]
            if value != OPEN:
                value ^= following[base] & 1
            if values[1 + base] != OPEN and value != values[1 + base]:
                values[1 + base] = OPEN
                changed = True
        if not changed:
            return True
    return False


SECONDS = 5.0


def optimise(netlist: Netlist, *, play: bool = False, seconds: float = SECONDS) -> Netlist:
    """Fold constants, merge equal bases, drop what nothing needs, and merge nested ANDs.

    Repeat these passes until they find nothing more or the time runs out.

    Args:
        netlist: Not changed.
        play: Whether to drop bases that do not affect play. The facts of a state are then lost.
        seconds: After this time, no further round of passes begins.
    """
    end = time.monotonic() + seconds
    size = None
    while size != (size := _size(netlist)) and time.monotonic() < end:
        for improve in (
            fold_constants,
            merge_equal_bases,
            for_play if play else drop_unused,
            flatten,
        ):
            netlist = improve(netlist)
    return netlist


def _size(netlist: Netlist) -> tuple[int, ...]:
    return (
        netlist.num_gates,
        len(netlist.literals),
        netlist.num_bases,
        len(netlist.feedback),
        int((netlist.next > 1).sum()),
    )
