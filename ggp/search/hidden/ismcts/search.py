"""Information-set Monte Carlo tree search: the interface for Python.

search = InformationSetSearch(game, role, seed=1)
search.look_at(belief.worlds)
while not deadline.is_over():
    search.step(deadline)
search.result().move
"""

from __future__ import annotations

import random
import time
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.belief import Worlds, first_information
from ggp.clock import Deadline
from ggp.errors import GgpError
from ggp.search.core.choices import random_index
from ggp.search.core.result import Effort, MoveValue, SearchResult
from ggp.search.core.search import next_chunk
from ggp.search.hidden.ismcts.iterate import (
    DEEPEST,
    LONGEST_PATH,
    ROUNDS,
    Descent,
    RoundParameters,
    run,
)
from ggp.search.hidden.ismcts.trees import (
    BYTES_PER_EDGE,
    BYTES_PER_NODE,
    EDGES,
    NODES,
    clear,
    is_half_full,
    make_trees,
    write_likelihoods,
)
from ggp.search.kernels.arrays import NONE
from ggp.search.kernels.hashing import number_of

MAX_WORLDS: Final = 1 << 15
_MIN_ROUNDS: Final = 16  # iterations of the first step; later steps depend on the clock
_MAX_ROUNDS: Final = 1 << 14


@dataclass(frozen=True, slots=True)
class InformationSetSettings:
    """Settings of the search."""

    c: float = 0.7  # weight of exploration in UCB1, for rewards from 0 to 1
    horizon: int = 500  # maximum turns of an iteration; a longer game counts as undecided (50)
    memory: int = 1 << 28  # bytes of the trees
    trust: float = 0.7  # from 0 (others move at random) to 1 (others follow their trees)
    unaware: float = 0.5  # share of the iterations that start in the initial state, see `iterate`
    aware_weight: float = 0.1  # weight of all other iterations in the trees of the other roles
    errors: float = 0.5  # share of the other roles' moves that are random during the search


DEFAULTS: Final = InformationSetSettings()


class InformationSetSearch:
    """A search with a tree for each role. `step` grows the trees from the possible worlds.

    The trees are kept from turn to turn, because the information sets below the current one may
    still be reached.
    """

    def __init__(
        self,
        game: gdl.Game,
        role: gdl.Role,
        seed: int,
        settings: InformationSetSettings = DEFAULTS,
        chunk: int | None = None,
    ) -> None:
        """Create a search with empty trees and without worlds. Call `look_at` before `step`.

        Args:
            chunk: Number of iterations per step, so that the same seed gives the same result. If
                None, a step takes some milliseconds.

        Raises:
            GgpError: The game is not compiled.
        """
        arrays = game.arrays(has_percepts=True)
        if arrays is None:
            raise GgpError("expected a compiled game, got one that the interpreter plays")
        self.settings = settings
        self._game = arrays
        self._own = game.roles.index(role)
        self._start = arrays.pack(game.initial_state())
        num_roles, num_inputs = len(game.roles), len(arrays.inputs)
        is_guided = np.ones(num_roles, np.int32)
        if (chance := random_index(game.machine)) is not None:
            is_guided[chance] = 0
        self._descent = Descent(
            layout=arrays.layout,
            memory=arrays.memory,
            trees=make_trees(settings.memory),
            worlds=np.zeros((2, arrays.num_words), np.int32),
            weights=np.zeros(1),
            world_known=np.zeros((2, num_roles), np.uint64),
            percept_starts=arrays.percepts.starts,
            percepts=arrays.percepts.literals,
            move_numbers=arrays.percepts.move_numbers,
            is_guided=is_guided,
            known=np.zeros(num_roles, np.uint64),
            is_inside=np.zeros(num_roles, np.int32),
            legal=np.zeros(num_inputs, np.int32),
            stamps=np.zeros(num_inputs, np.int64),
            path=np.zeros(LONGEST_PATH, np.int32),
            path_roles=np.zeros(LONGEST_PATH, np.int32),
            rewards=np.zeros(num_roles),
            settings=np.array([0, 0, 0, random.Random(seed).randrange(1, 1 << 62)], np.int64),
            counters=np.zeros(4, np.int64),
        )
        self._rng = np.random.default_rng(seed)
        has_others = is_guided.sum() > 1
        self._parameters = RoundParameters(
            own=self._own,
            c=settings.c,
            unaware=settings.unaware if has_others else 0.0,
            aware_weight=settings.aware_weight if settings.unaware else 1.0,
            errors=settings.errors,
            horizon=settings.horizon,
        )
        nothing = [first_information(role) for role in range(num_roles)]
        self._nothing = np.array([nothing], np.uint64)
        self._is_timed = chunk is None
        self._chunk = chunk or _MIN_ROUNDS

    @property
    def effort(self) -> Effort:
        """The work so far, and the memory held."""
        counters, used = self._descent.counters, self._descent.trees.used
        num_bytes = int(BYTES_PER_NODE * used[NODES] + BYTES_PER_EDGE * used[EDGES])
        rounds = int(counters[ROUNDS])
        return Effort(rounds, rounds, int(used[NODES]), int(counters[DEEPEST]), num_bytes)

    def look_at(self, worlds: Worlds) -> None:
        """Search from these worlds from now on. The game must not be over in any of them."""
        if worlds.num > MAX_WORLDS:
            worlds = worlds.resampled(MAX_WORLDS, self._rng)
        assert worlds.packed is not None
        if is_half_full(self._descent.trees):
            clear(self._descent.trees)
        self._descent.counters[DEEPEST] = 0
        self._descent = self._descent._replace(
            worlds=np.concatenate([self._game.pack_all(worlds.packed), self._start[None]]),
            weights=np.cumsum(worlds.weights),
            world_known=np.concatenate([worlds.known, self._nothing]),
        )

    def step(self, deadline: Deadline) -> bool:
        """Run `chunk` iterations or, if `chunk` is None, iterate for a few milliseconds.

        Return True.
        """
        begun = time.perf_counter()
        self.run(self._chunk)
        seconds = time.perf_counter() - begun
        if self._is_timed:
            self._chunk = next_chunk(self._chunk, seconds, _MAX_ROUNDS)
        return True

    def run(self, num: int) -> None:
        """Run `num` iterations."""
        run(self._game.at, self._descent, self._parameters, num)

    def likelihoods(
        self, role: int, known: NDArray[np.uint64], moves: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        """Return the likelihood of each of `moves` of a role, see `ggp.belief.worlds.Model`."""
        found = np.ones(len(known))
        trees, numbers = self._descent.trees, self._descent.move_numbers
        if self._descent.is_guided[role]:
            keys, chosen = np.ascontiguousarray(known), moves.astype(np.int32)
            write_likelihoods(trees, keys, chosen, numbers, self.settings.trust, found)
        return found

    def result(self) -> SearchResult | None:
        """Return the moves of the searching role with their values, the most visited first.

        Return None if its information set has not been searched yet.
        """
        trees = self._descent.trees
        node = number_of(trees.buckets, trees.keys, int(self._descent.world_known[0, self._own]))
        if node == NONE:
            return None
        first, size = int(trees.firsts[node]), int(trees.sizes[node])
        edges = slice(first, first + size)
        visits, totals = trees.visits[edges].tolist(), trees.totals[edges].tolist()
        inputs = self._game.inputs
        found = sorted(
            (
                MoveValue(inputs[move][1], 100 * total / num if num else 0.0, round(num))
                for move, num, total in zip(
                    trees.moves[edges].tolist(), visits, totals, strict=True
                )
            ),
            key=lambda each: (-each.visits, -each.value, str(each.move)),
        )
        return SearchResult.ranked(found, round(sum(visits)))
