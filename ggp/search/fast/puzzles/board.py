"""The board: a puzzle as its searches see it, and the one place where they make states.

board = Board(game, seed=1)
for added in board.children(store, ends, nodes):
    ...  # a few hundred states more are in the store
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import gdl
from ggp.search.fast.lanes import has_lanes
from ggp.search.fast.puzzles.clocks import clock_of
from ggp.search.fast.puzzles.distance import conditions_of, measure
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
from ggp.search.kernels.arrays import IntArray, Words

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
        """Of up to `num_rows` nodes: how far they are from the best goal, and what bounds them.

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
