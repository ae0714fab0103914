"""Sources of a book's states: lanes for compiled games, the game itself for others."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import prod
from typing import Protocol

import numpy as np

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Choices, choices_in
from ggp.search.evaluation.book.endgame import StateCode
from ggp.search.evaluation.book.retrograde import WORD_BITS, Graph
from ggp.training.books.exploring import ExploreLimits, Progress, explore

Place = tuple[gdl.State, int]
"""A state that is not terminal, and how many joint moves lead to it from the first one."""


class StateSource(Protocol):
    """Makes graphs of a game, all with one code."""

    @property
    def code(self) -> StateCode:
        """The meaning of the bits of its graphs; asked for after the last graph was made."""
        ...

    def note(self, state: gdl.State) -> None:
        """See to it that `code` will have a key for this state."""
        ...

    def graph(
        self,
        places: Sequence[Place],
        limits: ExploreLimits,
        deadline: Deadline,
        progress: Progress,
    ) -> Graph:
        """All that follows from some places, within the limits."""
        ...


def world_of(game: gdl.Game) -> StateSource:
    """The fastest that can be had for a game."""
    return SlowWorld(game) if game.simulator is None else LaneWorld(game)


class LaneWorld:
    """States by the hundred."""

    def __init__(self, game: gdl.Game) -> None:
        """States of a game on lanes."""
        self._game = game
        self._expander = game.expander()
        assert game.circuit is not None
        bases = game.circuit.phases[0].netlist.bases
        # The expander leaves out what makes no difference.
        self.code = StateCode([str(fact) for fact in bases], ignores_others=True)

    def note(self, state: gdl.State) -> None:
        """Nothing: all facts are known beforehand."""

    def graph(
        self,
        places: Sequence[Place],
        limits: ExploreLimits,
        deadline: Deadline,
        progress: Progress,
    ) -> Graph:
        """All that follows from some places, within the limits."""
        expander = self._expander
        roots = [
            (expander.pack(self._game.facts(state)), num_moves % expander.num_phases)
            for state, num_moves in places
        ]
        return explore(expander, roots, limits, deadline, progress)


class SlowWorld:
    """One state at a time, on any game: the readable twin of `exploring`."""

    def __init__(self, game: gdl.Game) -> None:
        self._game = game
        self._bits: dict[str, int] = {}

    @property
    def code(self) -> StateCode:
        """A bit for every fact met so far."""
        return StateCode(tuple(self._bits), ignores_others=False)

    def note(self, state: gdl.State) -> None:
        """Give the facts of this state a bit."""
        self._pack(state)

    def graph(
        self,
        places: Sequence[Place],
        limits: ExploreLimits,
        deadline: Deadline,
        progress: Progress,
    ) -> Graph:
        """All that follows from some places, within the limits."""
        game = self._game
        numbers: dict[gdl.State, int] = {}
        roots = [numbers.setdefault(state, len(numbers)) for state, _ in places]
        states = list(numbers)
        choices: list[Choices] = []
        children: list[int] = []
        for state in states:  # grows meanwhile
            is_over = len(states) >= limits.states or len(children) >= limits.moves
            if is_over or deadline.is_over():
                break
            choices.append(() if game.is_terminal(state) else choices_in(game, state))
            for joint in product(*choices[-1]) if choices[-1] else ():
                after = game.next_state(state, joint)
                number = numbers.setdefault(after, len(states))
                if number == len(states):
                    states.append(after)
                children.append(number)
            if len(choices) % 1000 == 0:
                progress(f"{len(states):,} states, {len(children):,} moves")
        return self._graph(states, choices, children, roots)

    def _graph(
        self,
        states: list[gdl.State],
        choices: list[Choices],
        children: list[int],
        roots: list[int],
    ) -> Graph:
        game, num_roles = self._game, len(self._game.roles)
        shapes = [tuple(map(len, found)) or (0,) * num_roles for found in choices]
        shapes += [(0,) * num_roles] * (len(states) - len(choices))
        counts = [prod(shape) for shape in shapes]
        goals = [[game.goal(state, role) for role in game.roles] for state in states]
        packed = [self._pack(state) for state in states]
        size = max(1, -(-len(self._bits) // WORD_BITS))
        data = b"".join(bits.to_bytes(8 * size, "little") for bits in packed)
        return Graph(
            states=np.frombuffer(data, "<u8").astype(np.uint64).reshape(-1, size),
            is_terminal=np.array([game.is_terminal(state) for state in states]),
            goals=np.array(goals, np.int16).reshape(-1, num_roles),
            num_moves=np.array(shapes, np.int32).reshape(-1, num_roles),
            starts=np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)]),
            children=np.array(children, np.int32),
            roots=np.array(roots, np.int32),
            is_complete=len(choices) == len(states),
        )

    def _pack(self, state: gdl.State) -> int:
        bits = 0
        for fact in self._game.facts(state):
            bits |= 1 << self._bits.setdefault(str(fact), len(self._bits))
        return bits
