"""The board: a puzzle as its searches see it, and the one place where they make states.

board = Board(game, seed=1)
for added in board.children(store, ends, nodes):
    ...  # a few hundred states more are in the store
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

# What a node of the circuit depends on.
_ON_POSITION = 1
_ON_CLOCK = 2


@dataclass(frozen=True, eq=False)
class Clock:
    """The clocks of a game, as far as they are known: bases that count moves, and nothing else.

    A step counter makes a state of each number of moves, so a search that goes by states would meet
    the same position again and again. Its bases are found on the circuit: they follow from each
    other alone, whatever is played, so after as many moves they are the same in all states. Where
    such a clock does nothing but end the game, a position that was met before, after fewer moves,
    need not be looked at again: whatever ends it may reach before the time is over can be reached
    from there as well. Only ends that the clock itself makes are lost with it, so a search that
    sees all positions knows the best of the other ends, and the shortest way there.

    Attributes:
        is_clock: `[B]` whether each base is one of a clock.
        only_ends: Whether the clock has no say in anything but when the game is over.
        may_end: Whether it has a say in that.
    """

    is_clock: BoolArray
    only_ends: bool
    may_end: bool


def clock_of(netlists: Sequence[gdl.Netlist]) -> Clock:
    """The clock of a game, given as a netlist for each phase."""
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
    """The nodes of literals that all hold, exactly if the game is not over."""
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
    """A game of one role on lanes, and what its circuit tells about it.

    Attributes:
        best_goal: No state is worth more.
        whole: `[W]` the bits of a state, all of them.
        position: `[W]` those that are left without a clock that only ends the game; the same as
            `whole` if there is no such clock.
        position_proves: Whether a search that goes by `position` has missed nothing.
        num_rows: How many children are made at once.
        choices: `[num_rows]` how many moves each of the nodes has that `children` added last.
        num_made: How many were made so far.
        num_playouts: Random playouts so far.
    """

    def __init__(self, game: gdl.Game, seed: int) -> None:
        """The board of a game; `can_search` must say that it is possible."""
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
        """`[W]` a state of the game, as lanes have it."""
        return self.expander.pack(self.game.facts(state))

    def phases_of(self, state: gdl.State) -> list[int]:
        """The phases that a state of the game may belong to."""
        return self.expander.phases_of(self.pack(state))

    def move(self, number: int) -> gdl.Move:
        """The move of an input."""
        return self.expander.inputs[number][1]

    @property
    def can_measure(self) -> bool:
        """Whether the goal's circuit is not too large to measure distances by it."""
        return self._conditions is not None

    def measured(self, store: Store, nodes: IntArray) -> tuple[IntArray, IntArray]:
        """Of up to `num_rows` nodes: the distance from the best goal, and the bound of their goals.

        The arrays are written anew by the next call.
        """
        assert self._conditions is not None
        far, bounds = self._far[: len(nodes)], self._bounds[: len(nodes)]
        measure(self._conditions, store.states, nodes, far, bounds)
        return far, bounds

    def new_pairs(self) -> Pairs:
        """Room for all moves of a batch of nodes."""
        size = len(self.expander.legal)
        return Pairs(np.empty(size, np.int32), np.empty(size, np.int32))

    def children(
        self, store: Store, ends: Ends, nodes: IntArray, phase: int, pairs: Pairs
    ) -> Iterator[IntArray]:
        """Make all moves in up to `num_rows` nodes of a phase; the new nodes, batch by batch.

        Ends as soon as there is no room in the store, see `is_full`. The array is written anew by
        the next batch.
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
        """Whether there is no room for another batch of children."""
        return len(store.states) - int(store.counters[NODES]) < self.num_rows


def can_search(game: gdl.Game) -> bool:
    """True for a game of one role that can be searched on lanes."""
    return len(game.roles) == 1 and has_lanes(game)


class Measure:
    """Distance of single states of a game of one role from the best goal, without lanes."""

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
        """Whether the goal's circuit is not too large."""
        return self._conditions is not None

    def __call__(self, state: gdl.State) -> float:
        """Number of bases that must change; much more if the best goal is out of reach."""
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
