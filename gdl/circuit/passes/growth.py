"""Growth: feedback nodes that, once true, stay true for the rest of a playout.

For example, stones that are never removed stay connected. The value of such a node in a state is a
lower bound of its value in the next state, so the search for the next fixpoint can start from
there.

A base stays true if it is true in the next state whenever it is true now, whatever the other bases
and the moves are. The pass examines 64 bases together, each with one bit in every word. A feedback
node may become false if it depends on a base that does not stay true, or on the complement of a
base that does not stay false. The same holds if it depends on another feedback node that may become
false.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gdl.circuit.netlist import BoolArray, ByteArray, IntArray, Netlist, Words
from gdl.native.jit import kernel

NONE = -1
AT_ONCE = 64
MAX_VISITS = 200_000_000  # literals visited; takes some tenths of a second

_FALLS, _RISES = 1, 2  # bits: how a node's value may change from one state to the next


def find_growth(netlist: Netlist) -> Netlist:
    """Return the netlist with `growth`, unless finding it would take too long.

    It has a number for each feedback node that stays true, and -1 for each of the others.
    """
    visits = 2 * (netlist.num_bases // AT_ONCE + 1) * len(netlist.literals)
    if not len(netlist.feedback) or visits > MAX_VISITS:
        return netlist
    changes = np.zeros(netlist.first_gate + netlist.num_gates, np.uint8)
    bases = slice(1, netlist.first_input)
    changes[bases] = np.where(_stays(netlist, 1), 0, _FALLS) | np.where(
        _stays(netlist, 0), 0, _RISES
    )
    changes[netlist.first_feedback : netlist.first_gate] = _RISES
    _spread_changes(
        netlist.offsets, netlist.literals, netlist.feedback, netlist.first_gate, changes
    )
    falls = changes[netlist.first_feedback : netlist.first_gate] & _FALLS
    numbers = np.arange(len(netlist.feedback))
    return replace(netlist, growth=np.where(falls, NONE, numbers).astype(np.int32))


def _stays(netlist: Netlist, value: int) -> BoolArray:
    stays = np.zeros(netlist.num_bases, np.bool_)
    for first in range(0, netlist.num_bases, AT_ONCE):
        num = min(AT_ONCE, netlist.num_bases - first)
        bits = np.uint64(1) << np.arange(num, dtype=np.uint64)
        can_be = opened(netlist, first, num, value)
        spread_values(netlist.offsets, netlist.literals, netlist.first_gate, can_be)
        literals = netlist.next[first : first + num]
        # If a literal is complemented, look up the opposite value of its node.
        other = can_be[(1 - value) ^ (literals & 1), literals >> 1]
        stays[first : first + num] = other & bits == 0
    return stays


def opened(netlist: Netlist, first: int, num: int, value: int) -> Words:
    """Return whether each node can be false, and whether it can be true, `[2, nodes]`.

    The words have a bit for each of 64 cases. In each case one of the `num` bases from `first` on
    has the value `value`, and all other bases may have any value. The values of gates are not
    computed yet. Call `spread_values` for that.
    """
    can_be = np.full((2, netlist.first_gate + netlist.num_gates), ~np.uint64(0), np.uint64)
    can_be[1, 0] = 0
    can_be[1 - value, 1 + first : 1 + first + num] &= ~(
        np.uint64(1) << np.arange(num, dtype=np.uint64)
    )
    return can_be


@kernel
def spread_values(offsets: IntArray, literals: IntArray, first_gate: int, can_be: Words) -> None:
    """Write to `can_be` which values each gate can have, in 64 cases at once. See `opened`."""
    for gate in range(len(offsets) - 1):
        can_be_true, can_be_false = ~np.uint64(0), np.uint64(0)
        for index in range(offsets[gate], offsets[gate + 1]):
            sign, node = literals[index] & 1, literals[index] >> 1
            can_be_true &= can_be[1 - sign, node]
            can_be_false |= can_be[sign, node]
        can_be[1, first_gate + gate] = can_be_true
        can_be[0, first_gate + gate] = can_be_false


@kernel
def _spread_changes(
    offsets: IntArray, literals: IntArray, feedback: IntArray, first_gate: int, changes: ByteArray
) -> None:
    first_feedback = first_gate - len(feedback)
    is_new = True
    while is_new:
        is_new = False
        for gate in range(len(offsets) - 1):
            found = 0
            for index in range(offsets[gate], offsets[gate + 1]):
                found |= _change_of(literals[index], changes)
            changes[first_gate + gate] = found
        for k in range(len(feedback)):
            found = changes[first_feedback + k] | _change_of(feedback[k], changes)
            is_new = is_new or found != changes[first_feedback + k]
            changes[first_feedback + k] = found


@kernel
def _change_of(literal: int, changes: ByteArray) -> int:
    change = int(changes[literal >> 1])
    return (change >> 1) | ((change & 1) << 1) if literal & 1 else change
