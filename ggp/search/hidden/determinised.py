"""Determinised search: draw worlds, search each as if all roles saw it, and let the worlds vote.

This is perfect-information Monte Carlo search (M. Ginsberg, GIB: Imperfect Information in a
Computationally Challenging Game, JAIR 2001). Players of GDL-II use it as in M. Schofield, T.
Cerexhe, M. Thielscher, HyperPlay: A Solution to General Game Playing with Imperfect Information,
AAAI 2012. It is simple and fast. But it never makes an effort to gain information or to hide its
own, because it assumes that every role will see the whole state from now on.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

import numpy as np

import gdl
from ggp.belief import Worlds
from ggp.clock import Deadline
from ggp.search.core.choices import StuckError, TurnUnknownError
from ggp.search.core.result import Effort, MoveValue, SearchResult
from ggp.search.core.search import Search, repeat
from ggp.search.textbook.mcts.search import MctsSearch, MctsSettings

MAX_WORLDS: Final = 32
"""Maximum number of worlds that vote."""
SLICE_SECONDS: Final = 0.01
SLICE_ROUNDS: Final = 10
"""Number of search steps in a world before the next world has its turn, if steps are not timed."""


@dataclass(slots=True)
class _Voter:
    state: gdl.State
    count: int  # how often the world was drawn
    moves: tuple[MoveValue, ...] = ()
    search: Search | None = None  # its own search; None if the worlds share one


class DeterminisedSearch:
    """A search of several worlds in turn that averages their values.

    If the game has lanes, the searches of all worlds share a tree.
    """

    def __init__(
        self,
        game: gdl.Game,
        role: gdl.Role,
        seed: int,
        settings: MctsSettings | None = None,
        memory: int = 1 << 28,
        *,
        is_timed: bool = True,
    ) -> None:
        """Create a search without worlds. Call `look_at` before `step`.

        Args:
            settings: The settings of the search in each world if the game has no lanes.
            memory: Size of the shared tree on lanes, in bytes.
            is_timed: Whether a step has a time limit. If not, the same seed gives the same result.
        """
        self._game, self._role = game, role
        self._settings = settings or MctsSettings()
        self._memory = memory
        self._is_timed = is_timed
        self._rng = random.Random(seed)
        self._draws = np.random.default_rng(seed)
        self._voters: list[_Voter] = []
        self._turn = 0
        self._shared: Search | None = None
        self.effort = Effort(0, 0, 0, 0)

    def look_at(self, worlds: Worlds) -> None:
        """Search a sample of `worlds` from now on."""
        shares = self._draws.multinomial(MAX_WORLDS, worlds.weights / worlds.weights.sum())
        chosen = [(worlds.states[row], int(shares[row])) for row in np.flatnonzero(shares).tolist()]
        machine = self._game.machine
        self._voters = [
            _Voter(state, count) for state, count in chosen if not machine.is_terminal(state)
        ]
        self._turn = 0

    def step(self, deadline: Deadline) -> bool:
        """Search the next world for some milliseconds. Return False if no world can be searched."""
        if not self._voters:
            return False
        voter = self._voters[self._turn % len(self._voters)]
        try:
            search = self._search_at(voter)
        except StuckError:
            self._voters.remove(voter)
            return True
        self._turn += 1
        before = search.effort
        if self._is_timed:
            # A step of a large game may be longer than a slice.
            repeat(lambda _: search.step(deadline), deadline.within(SLICE_SECONDS))
        else:
            repeat(search.step, deadline, SLICE_ROUNDS)
        voter.moves = search.result().moves
        self.effort = _added(self.effort, before, search.effort)
        return True

    def result(self) -> SearchResult | None:
        """Rank the moves by mean value over the searched worlds where they are legal.

        Return None if no world was searched yet.
        """
        totals: dict[gdl.Move, list[float]] = {}
        for voter in self._voters:
            for each in voter.moves:
                total = totals.setdefault(each.move, [0.0, 0.0, 0.0])
                total[0] += voter.count * each.value
                total[1] += voter.count
                total[2] += each.visits
        if not totals:
            return None
        found = sorted(
            (
                MoveValue(move, value / count, round(visits))
                for move, (value, count, visits) in totals.items()
            ),
            key=lambda each: (-each.value, -each.visits, str(each.move)),
        )
        return SearchResult.ranked(found, sum(each.visits for each in found))

    def _search_at(self, voter: _Voter) -> Search:
        if voter.search is not None:
            return voter.search
        shared = self._shared_at(voter.state)
        if shared is not None:
            return shared
        machine, settings = self._game.machine, self._settings
        voter.search = MctsSearch(machine, voter.state, self._role, self._rng, settings)
        return voter.search

    def _shared_at(self, state: gdl.State) -> Search | None:
        if not self._is_timed or self._game.simulator is None:
            return None
        from ggp.search.fast.lanes import LaneSettings, has_lanes
        from ggp.search.fast.tree.search import LaneSearch

        if not has_lanes(self._game):
            return None
        try:
            if isinstance(self._shared, LaneSearch):
                self._shared.go_to(state)
            else:
                settings = LaneSettings(memory=self._memory, horizon=self._settings.horizon)
                seed = self._rng.randrange(1 << 31)
                self._shared = LaneSearch(self._game, state, self._role, seed, settings)
        except TurnUnknownError:
            return None
        return self._shared


def _added(total: Effort, before: Effort, after: Effort) -> Effort:
    return Effort(
        total.num_iterations + after.num_iterations - before.num_iterations,
        total.num_playouts + after.num_playouts - before.num_playouts,
        after.num_nodes,
        max(total.depth, after.depth),
        after.num_bytes,
    )
