"""Latches: bases that stay as they are once they are true, or once they are false.

They are found on the circuit with three truth values: where a base and the move are given, and all
other bases are unknown, the next value of the base may be known all the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ggp.search.puzzle.jit import kernel

if TYPE_CHECKING:
    import gdl

IntArray = NDArray[np.int32]
Words = NDArray[np.uint64]
BoolArray = NDArray[np.bool_]

_ALL = ~np.uint64(0)
_AT_ONCE = 64

NO = 0  # the literal that is always false
UNKNOWN = -1  # any move
MOST_VISITS = 200_000_000  # literals looked at: some tenths of a second


def latches_of(netlists: Sequence[gdl.Netlist]) -> tuple[BoolArray, BoolArray]:
    """`[B]` which bases stay true once they are, and which stay false, in every phase.

    There is one role. Where trying each move takes too long, moves are unknown too.
    """
    num_bases = netlists[0].num_bases
    stays = np.ones((2, num_bases), np.bool_)
    for netlist in netlists:
        num_visits = len(netlist.literals) * (num_bases // _AT_ONCE + 1) * 2
        moves = np.flatnonzero(netlist.legal != NO).astype(np.int32) + netlist.first_input
        if num_visits * len(moves) > MOST_VISITS:
            moves = np.full(1, UNKNOWN, np.int32)
        for value in (0, 1):
            for first in range(0, num_bases, _AT_ONCE):
                some = stays[value, first : first + _AT_ONCE]
                some &= _stay(netlist, first, value, moves)
    return stays[1], stays[0]


def _stay(netlist: gdl.Netlist, first: int, value: int, moves: IntArray) -> BoolArray:
    """Of the bases from one on, up to 64, which keep a value whatever the others are."""
    num = min(_AT_ONCE, netlist.num_bases - first)
    can_be = np.full((2, netlist.first_gate + netlist.num_gates), _ALL, np.uint64)
    can_be[1, 0] = 0
    bits = np.uint64(1) << np.arange(num, dtype=np.uint64)
    can_be[1 - value, 1 + first : 1 + first + num] &= ~bits
    inputs = slice(netlist.first_input, netlist.first_feedback)
    literals = netlist.next[first : first + num]
    kept = np.ones(num, np.bool_)
    for move in moves.tolist():
        if move != UNKNOWN:
            can_be[1, inputs], can_be[0, inputs] = 0, _ALL
            can_be[1, move], can_be[0, move] = _ALL, 0
        _spread(netlist.offsets, netlist.literals, netlist.first_gate, can_be)
        # Of a complemented literal, the node's other value.
        other = can_be[(1 - value) ^ (literals & 1), literals >> 1]
        kept &= other & bits == 0
        if not kept.any():
            break
    return kept


@kernel
def _spread(offsets: IntArray, literals: IntArray, first_gate: int, can_be: Words) -> None:
    """Find out which values each gate can have, in 64 cases at once."""
    for gate in range(len(offsets) - 1):
        can_be_true, can_be_false = ~np.uint64(0), np.uint64(0)
        for index in range(offsets[gate], offsets[gate + 1]):
            sign, node = literals[index] & 1, literals[index] >> 1
            can_be_true &= can_be[1 - sign, node]
            can_be_false |= can_be[sign, node]
        can_be[1, first_gate + gate] = can_be_true
        can_be[0, first_gate + gate] = can_be_false
