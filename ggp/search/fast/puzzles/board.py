"""The board: a game of one role in the form that searches need. It computes all their states.

board = Board(game, seed=1)
for added in board.children(store, ends, nodes):
    ...  # the store has a few hundred more states
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

import gdl
from gdl import kernel
from ggp.search.fast.lanes import has_lanes
from ggp.search.fast.puzzles.distance import GoalConditionArrays, conditions_of, measure
from ggp.search.fast.puzzles.store import (
    NODES,
    Ends,
    Made,
    Pairs,
    Store,
    add_children,
    list_pairs,
    load_parents,
    load_states,
)
from ggp.search.kernels.arrays import BoolArray, ByteArray, IntArray, Words

# What a node of the circuit may depend on
_ON_POSITION = 1
_ON_CLOCK = 2


@dataclass(frozen=True, eq=False)
class Clock:
    """The clocks found in the rules of a game: bases that only count moves.

    With a step counter, equal positions after different numbers of moves are different states. So a
    search that compares whole states would find the same position again and again. The bases of a
    clock are found in the circuit. They depend only on each other, not on moves, so they are the
    same in all states after the same number of moves.

    If a clock only ends the game, a position that occurs again after more moves need not be
    searched again. All ends that can be reached from there in time can also be reached from the
    first occurrence. Only ends that the clock itself causes are lost. So a search that sees all
    positions knows the best of the other ends, and the shortest path to it.

    Attributes:
        is_clock: `[B]` whether each base belongs to a clock.
        only_ends: Whether the clock affects nothing except the end of the game.
        may_end: Whether the clock may end the game.
    """

    is_clock: BoolArray
    only_ends: bool
    may_end: bool


def clock_of(netlists: Sequence[gdl.Netlist]) -> Clock:
    """Find the clock of a game, given the netlist of each phase."""
    is_clock = np.ones(netlists[0].num_bases, np.bool_)
    num_before = -1
    while is_clock.sum() != num_before:
        num_before = is_clock.sum()
        for netlist in netlists:
            marks = _dependence(netlist, is_clock)
            is_clock &= marks[netlist.next >> 1] & _ON_POSITION == 0
    only_ends, may_end = True, False
    for netlist in netlists:
        marks = _dependence(netlist, is_clock)
        played = [netlist.next[~is_clock], netlist.legal, [goal for _, _, goal in netlist.goals]]
        nodes = np.concatenate([np.asarray(part, np.int32) for part in played]) >> 1
        ends = marks[_conditions_of_going_on(netlist)]
        only_ends &= not (marks[nodes] & _ON_CLOCK).any()
        only_ends &= not (ends == _ON_CLOCK | _ON_POSITION).any()
        may_end |= bool((ends & _ON_CLOCK).any())
    return Clock(is_clock, only_ends, may_end)


def _dependence(netlist: gdl.Netlist, is_clock: BoolArray) -> ByteArray:
    marks = np.zeros(netlist.first_gate + netlist.num_gates, np.uint8)
    marks[1 : netlist.first_input] = np.where(is_clock, _ON_CLOCK, _ON_POSITION)
    marks[netlist.first_input : netlist.first_feedback] = _ON_POSITION
    feedback = slice(netlist.first_feedback, netlist.first_gate)
    while True:
        _spread(netlist.offsets, netlist.literals, netlist.first_gate, marks)
        fed_back = marks[feedback] | marks[netlist.feedback >> 1]
        if (fed_back == marks[feedback]).all():
            return marks
        marks[feedback] = fed_back


@kernel
def _spread(offsets: IntArray, literals: IntArray, first_gate: int, marks: ByteArray) -> None:
    for gate in range(len(offsets) - 1):
        found = np.uint8(0)
        for index in range(offsets[gate], offsets[gate + 1]):
            found |= marks[literals[index] >> 1]
        marks[first_gate + gate] = found


def _conditions_of_going_on(netlist: gdl.Netlist) -> IntArray:
    """Return the nodes of the literals that all hold exactly if the game is not over."""
    found, stack = list[int](), [netlist.terminal ^ 1]
    while stack:
        literal = stack.pop()
        gate = (literal >> 1) - netlist.first_gate
        if literal & 1 or gate < 0:
            found.append(literal >> 1)
        else:
            stack.extend(
                netlist.literals[netlist.offsets[gate] : netlist.offsets[gate + 1]].tolist()
            )
    return np.array(found, np.int32)


WORD_BITS = 64


class Board:
    """A game of one role on lanes, and what its circuit says about it.

    Attributes:
        best_goal: The best goal in the rules.
        whole: `[W]` a mask of all bits of a state.
        position: `[W]` a mask without the bits of a clock that only ends the game; the same as
            `whole` if there is no such clock.
        position_proves: Whether a complete search with the mask `position` is a proof.
        num_rows: How many children are computed at once.
        choices: `[num_rows]` the number of moves of each node that `children` added last.
        num_made: Number of children computed so far.
        num_playouts: Number of playouts so far.
    """

    def __init__(self, game: gdl.Game, seed: int) -> None:
        """Create the board of a game, for which `can_search` must be true."""
        simulator, stays = game.simulator, game.latches
        assert simulator is not None
        assert stays is not None
        self.game = game
        self.expander = simulator.expander(seed)
        self.num_rows = self.expander.num_leaves_max
        self.num_made = self.num_playouts = 0
        self.choices = np.zeros(self.num_rows, np.int32)
        self._made = Made(
            self.expander.children,
            self.expander.is_terminal,
            self.expander.goals,
            self.expander.legal_starts,
            self.choices,
        )
        netlists = [phase.netlist for phase in simulator.circuit.phases]
        clock = clock_of(netlists)
        self.whole = np.full(self.expander.num_words, ~np.uint64(0))
        self.position = self.whole.copy()
        if clock.only_ends:
            for base in np.flatnonzero(clock.is_clock).tolist():
                self.position[base // WORD_BITS] &= ~np.uint64(1 << base % WORD_BITS)
        self.position_proves = not (clock.only_ends and clock.may_end)
        values = [value for n in netlists for role, value, lit in n.goals if role == 0 and lit]
        self.best_goal = max(values, default=0)
        self._conditions = conditions_of(netlists, clock.is_clock, stays, self.num_rows)
        self._far = np.zeros(self.num_rows, np.int32)
        self._bounds = np.zeros(self.num_rows, np.int32)

    def pack(self, state: gdl.State) -> Words:
        """Pack a state of the game for lanes. Return `[W]`."""
        return self.expander.pack(self.game.facts(state))

    def phases_of(self, state: gdl.State) -> list[int]:
        """Return the phases that a state of the game may belong to."""
        return self.expander.phases_of(self.pack(state))

    def move(self, number: int) -> gdl.Move:
        """Return the move with the input number `number`."""
        return self.expander.inputs[number][1]

    @property
    def can_measure(self) -> bool:
        """Whether the circuit of the goal is small enough to measure distances."""
        return self._conditions is not None

    def measured(self, store: Store, nodes: IntArray) -> tuple[IntArray, IntArray]:
        """Measure up to `num_rows` nodes.

        Return two arrays: their distances from the best goal, and upper bounds of their goals. The
        next call overwrites both.
        """
        assert self._conditions is not None
        far, bounds = self._far[: len(nodes)], self._bounds[: len(nodes)]
        measure(self._conditions, store.states, nodes, far, bounds)
        return far, bounds

    def new_pairs(self) -> Pairs:
        """Create an array of pairs, large enough for all moves of a batch of nodes."""
        size = len(self.expander.legal)
        return Pairs(np.empty(size, np.int32), np.empty(size, np.int32))

    def children(
        self, store: Store, ends: Ends, nodes: IntArray, phase: int, pairs: Pairs
    ) -> Iterator[IntArray]:
        """Make all moves in up to `num_rows` nodes of a phase. Yield the new nodes, batch by batch.

        Each batch is an array of node numbers, which the next batch overwrites. Stop as soon as the
        store is full (see `is_full`).
        """
        expander, num, rows = self.expander, len(nodes), self.num_rows
        load_states(store, nodes, num, expander.children)
        expander.look(num, phase)
        num_pairs = list_pairs(pairs, nodes, num, expander.legal_starts, expander.legal)
        added = np.empty(rows, np.int32)
        for first in range(0, num_pairs, rows):
            if self.is_full(store):
                return
            num = min(rows, num_pairs - first)
            load_parents(store, pairs, first, num, expander.parents, expander.moves)
            expander.expand(num, phase)
            self.num_made += num
            num_added = add_children(store, ends, pairs, first, self._made, added[:num])
            yield added[:num_added]

    def is_full(self, store: Store) -> bool:
        """Return whether the store cannot hold another batch of children."""
        return len(store.states) - int(store.counters[NODES]) < self.num_rows


def can_search(game: gdl.Game) -> bool:
    """Return whether a game has one role and can be searched on lanes."""
    return len(game.roles) == 1 and has_lanes(game)


class Measure:
    """A function that measures the distance of a single state from the best goal, without lanes."""

    def __init__(self, game: gdl.Game) -> None:
        stays = game.latches
        assert game.circuit is not None
        assert stays is not None
        netlists = [phase.netlist for phase in game.circuit.phases]
        is_clock = clock_of(netlists).is_clock
        self._game = game
        self._conditions = conditions_of(netlists, is_clock, stays, 1)
        bases = netlists[0].bases
        self._places = {fact: divmod(base, WORD_BITS) for base, fact in enumerate(bases)}
        self._state = np.zeros((1, max(1, -(-len(bases) // WORD_BITS))), np.uint64)
        self._node, self._far, self._bound = (np.zeros(1, np.int32) for _ in range(3))

    @property
    def can_measure(self) -> bool:
        """Whether the circuit of the goal is small enough to measure distances."""
        return self._conditions is not None

    def __call__(self, state: gdl.State) -> float:
        """Return an estimate of how many bases must change to reach the best goal.

        Return a much larger number if the best goal is out of reach.
        """
        conditions: GoalConditionArrays | None = self._conditions
        assert conditions is not None
        words = [0] * self._state.shape[1]
        for fact in self._game.facts(state):
            place = self._places.get(fact)
            if place is not None:
                words[place[0]] |= 1 << place[1]
        self._state[0] = np.array(words, np.uint64)
        measure(conditions, self._state, self._node, self._far, self._bound)
        return float(self._far[0])
