"""Dependence: which bases and moves the next value of a base depends on, and each move's legality.

A base depends on a move of a role if it follows another way after that move than after most moves
of the role. Bases that depend on no move at all, nor on others that do, run on their own: step
counters, whose turn it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gdl.structure.cofactors import Cofactors
from gdl.structure.support import BoolArray, Cones, any_of, bases_read

IntArray = NDArray[np.int32]


@dataclass(frozen=True, eq=False)
class Dependence:
    """Dependence within a game. `B` bases, `I` inputs.

    Attributes:
        next_reads: `[B, B]` row b: the bases that the next value of base b depends on.
        moves: `[I, B]` whether base b depends on the move of input i.
        legal_reads: `[I, B]` the bases that the legality of input i depends on.
        is_autonomous: `[B]` whether a base runs on its own.
    """

    next_reads: BoolArray  # [B, B]
    moves: BoolArray  # [I, B]
    legal_reads: BoolArray  # [I, B]
    is_autonomous: BoolArray  # [B]


def dependence(functions: Cofactors, room: Cones) -> Dependence:
    """Find what depends on what in a game."""
    netlist = functions.netlist
    num_bases = netlist.num_bases
    roles = [(a, b) for a, b in pairwise(netlist.role_starts.tolist()) if a < b]
    moves = np.zeros((netlist.num_inputs, num_bases), np.bool_)
    next_reads = np.ones((num_bases, num_bases), np.bool_)
    for base in range(num_bases):
        for first, last in roles:
            column = functions.following[first:last, base]
            kinds, counts = np.unique(column, return_counts=True)
            counts = 2 * counts + (kinds == 2 * (1 + base))  # of two, it is usual to stay as it is
            moves[first:last, base] = column != kinds[counts.argmax()]
            next_reads[base] &= bases_read(room, kinds, num_bases)
        if not roles:
            next_reads[base] = bases_read(room, netlist.next[[base]], num_bases)
    legal_reads = np.zeros((netlist.num_inputs, num_bases), np.bool_)
    for index in range(netlist.num_inputs):
        legal_reads[index] = bases_read(room, functions.legal[[index]], num_bases)
    return Dependence(next_reads, moves, legal_reads, _autonomous(next_reads, moves))


def _autonomous(next_reads: BoolArray, moves: BoolArray) -> BoolArray:
    """The largest set of bases that depend on no move and on none outside of the set."""
    found = ~any_of(moves, axis=0)
    num = -1
    while num != (num := int(found.sum())):
        found &= ~any_of(next_reads[:, ~found], axis=1)
    return found
