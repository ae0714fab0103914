"""Distance of single states of a game from the best goal: `distance` without the lanes."""

from __future__ import annotations

import numpy as np

import gdl
from ggp.search.fast.puzzles.clocks import clock_of
from ggp.search.fast.puzzles.distance import GoalConditionArrays, conditions_of, measure

WORD_BITS = 64


class Measure:
    """Counts the facts that must change until the best goal holds, state by state."""

    def __init__(self, game: gdl.Game) -> None:
        """For a compiled game of one role. `can_measure` tells whether it is possible."""
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
