"""The lane kernels as a state machine, for tests: each lane has a different state.

The kernels that play hundreds of games at once answer questions about one state. The other lanes
keep the states and moves of earlier questions. So if a lane disturbs another lane, the tests detect
it.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from gdl.circuit.build import build
from gdl.circuit.lanes.playouts.lanes import DEFAULT_WIDTH, Lanes
from gdl.circuit.lanes.vectors import WORD_BITS
from gdl.circuit.netlist import BoolArray, IntArray, Netlist, Words, pack, unpack
from gdl.circuit.netlist_machine import NetlistMachine
from gdl.circuit.passes.optimise import optimise
from gdl.circuit.passes.rewrite import with_percepts_as_bases
from gdl.circuit.passes.split import split
from gdl.circuit.schedule import Schedule, schedule
from gdl.ground import Budget
from gdl.ground.grounding import ground
from gdl.rulesheet import Rulesheet


class LaneMachine(NetlistMachine):
    """A state machine that plays by a netlist, on lanes with different states."""

    def __init__(self, netlist: Netlist, width: int = DEFAULT_WIDTH) -> None:
        """Create a machine. Its lanes keep the last `64 * width` states that were in use."""
        self._width = width
        plan = schedule(split(with_percepts_as_bases(netlist)))
        super().__init__(netlist, _LaneEvaluator(plan, netlist, width), _places(plan, netlist))

    def __reduce__(self) -> tuple[type[LaneMachine], tuple[Netlist, int]]:
        return type(self), (self.netlist, self._width)


def lane_machine(rulesheet: Rulesheet, budget: Budget | None = None) -> LaneMachine:
    """Return a state machine on lanes for a rulesheet.

    Raises:
        RulesheetError: A statement of the rulesheet has no meaning, or there is no role.
        GroundingError: The rules cannot be grounded within the budget.
    """
    return LaneMachine(optimise(build(ground(rulesheet, budget or Budget()))))


def _places(plan: Schedule, netlist: Netlist) -> Netlist:
    first = 1 + netlist.num_bases
    return replace(
        netlist,
        terminal=plan.terminal,
        goals=tuple(
            (role, value, int(place))
            for (role, value, _), place in zip(netlist.goals, plan.goals, strict=True)
        ),
        sees=tuple(
            (role, percept, 2 * (first + index))
            for index, (role, percept, _) in enumerate(netlist.sees)
        ),
    )


class _LaneEvaluator:
    """An evaluator whose current state is in one of the lanes.

    See `gdl.circuit.netlist_machine.Evaluator`.
    """

    def __init__(self, plan: Schedule, netlist: Netlist, width: int) -> None:
        self._lanes = Lanes([plan], width)
        self._legal = plan.legal
        self._role_starts = netlist.role_starts
        self._num_bases = netlist.num_bases
        self._bases = slice(1, plan.netlist.first_input)
        self._first_input = plan.netlist.first_input
        self._first_feedback = plan.netlist.first_feedback
        self._starts = self._words[self._bases].copy()
        self._lane_of: dict[bytes, int] = {}  # in the order in which they were used
        self._lane = 0
        self._is_settled = False

    @property
    def _words(self) -> Words:
        words: Words = self._lanes.state.values["words"]
        return words

    def load(self, words: IntArray) -> None:
        """Make a state current. If no lane has it, it replaces the least recently used state."""
        state = words.tobytes()
        known = self._lane_of.pop(state, None)
        if known is not None:
            self._lane = known
        else:
            self._lane = self._free_lane()
            bases = np.zeros(len(self._starts), np.bool_)
            bases[: self._num_bases] = unpack(words, self._num_bases)
            self._set_bits(self._starts, np.flatnonzero(bases).astype(np.int32))
            self._is_settled = False
        self._lane_of[state] = self._lane

    def holds(self, literal: int) -> bool:
        if not self._num_bases < literal >> 1 < self._first_input:
            self._settle()
        return bool(self._read(np.array([literal], np.int32))[0])

    def legal(self, role: int) -> IntArray:
        self._settle()
        first, last = self._role_starts[role : role + 2]
        legal: IntArray = np.flatnonzero(self._read(self._legal[first:last])).astype(np.int32)
        return legal + np.int32(first)

    def make(self, moves: IntArray) -> IntArray:
        """Make a joint move in the current lane. In other lanes, make the move made there last."""
        self._settle()
        self._set_bits(self._words[self._first_input : self._first_feedback], moves)
        self._lanes.advance()
        self._is_settled = False
        bases = self._read(2 * np.arange(1, 1 + self._num_bases, dtype=np.int32))
        following: IntArray = pack(bases[None])[0]
        return following

    def _free_lane(self) -> int:
        if len(self._lane_of) < self._lanes.num_lanes:
            return len(self._lane_of)
        return self._lane_of.pop(next(iter(self._lane_of)))

    def _settle(self) -> None:
        if not self._is_settled:
            self._words[self._bases] = self._starts
            self._lanes.settle()
            self._is_settled = True

    def _set_bits(self, rows: Words, which: IntArray) -> None:
        block, bit = divmod(self._lane, WORD_BITS)
        mask = np.uint64(1 << bit)
        rows[:, block] &= ~mask
        rows[which, block] |= mask

    def _read(self, places: IntArray) -> BoolArray:
        block, bit = divmod(self._lane, WORD_BITS)
        words: Words = self._words[places >> 1, block]
        is_true: BoolArray = (words >> np.uint64(bit) & np.uint64(1)) != (places & 1)
        return is_true
