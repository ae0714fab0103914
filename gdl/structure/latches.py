"""Latches: bases that, once they are true (or once they are false), stay so whatever is done.

A base is a latch if its next value follows from its value alone: all else is open, and the value
comes out the same for every move of some role. Latches rule out goals: those whose condition is
false when the base is latched and all else is open, or that need an end which cannot come.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gdl.circuit.netlist import NO, YES, IntArray
from gdl.structure.cofactors import Cofactors
from gdl.structure.support import ByteArray, Cones, values_of


@dataclass(frozen=True, slots=True)
class Latch:
    """A base that stays as it is once it has a value.

    Attributes:
        base: Which.
        value: Which value.
        excluded: Indices of the netlist's goals that are out of reach then.
    """

    base: int
    value: bool
    excluded: tuple[int, ...] = ()


MOST_VISITS = 500_000_000  # literals looked at to see which goals are excluded: a second or two


def latches(functions: Cofactors, room: Cones) -> tuple[Latch, ...]:
    """The latches of a game, those that exclude goals with what they exclude."""
    netlist = functions.netlist
    changes = (netlist.next != NO) & (netlist.next != YES)
    found: list[Latch] = []
    most = MOST_VISITS // max(1, len(room.literals))
    for base in np.flatnonzero(changes).tolist():
        kinds = _kinds(functions, base)
        for value in (1, 0):
            if any((_values(room, base, value, each) == value).all() for each in kinds):
                literals = functions.goals if len(found) < most else functions.goals[:0]
                goals = _values(room, base, value, literals)
                excluded = np.flatnonzero((goals == 0) & (literals != NO))
                found.append(Latch(base, bool(value), tuple(excluded.tolist())))
    return tuple(found)


def _kinds(functions: Cofactors, base: int) -> list[IntArray]:
    """The next values that a base can have, as literals: for each role, by its moves."""
    pairs = pairwise(functions.netlist.role_starts.tolist())
    return [np.unique(functions.following[a:b, base]) for a, b in pairs if a < b]


def _values(room: Cones, base: int, value: int, literals: IntArray) -> ByteArray:
    found = np.empty(len(literals), np.uint8)
    values_of(room, base, value, literals, found)
    return found
