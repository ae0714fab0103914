"""GoalConditions: what a goal asks of the parts of a game, part by part.

A goal is taken for an "or" of ways to it, and each way for an "and" of conditions of which each
reads one part: "board one is solved and board two is solved". That is so for any formula if it is
multiplied out, but of some there are too many ways.
"""

from __future__ import annotations

from itertools import product

import numpy as np
from numpy.typing import NDArray

from gdl.structure.cofactors import Cofactors
from gdl.structure.division import NONE
from gdl.structure.support import Cones, bases_read

IntArray = NDArray[np.int32]
Terms = frozenset[int]  # literals that all hold
Way = dict[int, Terms]  # what is asked of each part; of those that are missing, nothing

MOST_WAYS = 32  # to a goal
MOST_PARTS = 12  # of a way


class GoalConditions:
    """Multiplies goals out. It belongs to one thread."""

    def __init__(self, functions: Cofactors, room: Cones, part_of_base: IntArray) -> None:
        self._functions = functions
        self._room = room
        self._parts = part_of_base
        self._part_of: dict[int, set[int]] = {}

    def ways(self, literal: int) -> tuple[Way, ...] | None:
        """The ways to make a literal true; None if there are too many, or one asks too much.

        Each is necessary for it, not always sufficient: conditions that read no part are left out.
        """
        found = self._multiplied(literal)
        if found is None:
            return None
        ways = [self._by_part(terms) for terms in found]
        return None if any(len(way) > MOST_PARTS for way in ways) else tuple(ways)

    def _multiplied(self, literal: int) -> list[Terms] | None:
        gate = (literal >> 1) - self._functions.netlist.first_gate
        if gate < 0 or len(self._read(literal)) < 2:
            return [frozenset((literal,))]
        table, sign = self._functions.table, literal & 1
        sources = table.literals[table.offsets[gate] : table.offsets[gate + 1]].tolist()
        each = [self._multiplied(source ^ sign) for source in sources]
        known = [found for found in each if found is not None]
        num = sum(map(len, known)) if sign else int(np.prod([len(k) for k in known], dtype=float))
        if len(known) < len(each) or num > MOST_WAYS:
            return None
        if sign:
            return [terms for found in known for terms in found]
        return [frozenset().union(*chosen) for chosen in product(*known)]

    def _by_part(self, terms: Terms) -> Way:
        way: dict[int, set[int]] = {}
        for literal in terms:
            for part in self._read(literal):
                way.setdefault(part, set()).add(literal)
        return {part: frozenset(asked) for part, asked in way.items()}

    def _read(self, literal: int) -> set[int]:
        """The parts that a literal reads."""
        node = literal >> 1
        if node not in self._part_of:
            named = np.array([literal], np.int32)
            reads = bases_read(self._room, named, len(self._parts))
            self._part_of[node] = set(self._parts[reads].tolist()) - {NONE}
        return self._part_of[node]
