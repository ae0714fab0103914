"""The search for games of one role. It looks for a complete line to the end of the game.

There are no other roles, so the best line of any playout can be replayed. Two searches look for
such a line. The one that has computed fewer states takes the next step. Monte Carlo tree search,
with equal states merged, finds good ends that are far away. Breadth-first search finds perfect ends
that are near, and proves that no better end exists.
"""

from __future__ import annotations

import random
from dataclasses import replace

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Joint
from ggp.search.core.result import BEST, CompleteLine, Effort, SearchResult
from ggp.search.textbook.mcts.search import DEFAULTS, MctsSearch, MctsSettings
from ggp.search.textbook.paths.planner import breadth_first


class SoloSearch:
    """A Monte Carlo and a breadth-first search that take turns, for a game of one role."""

    def __init__(
        self,
        game: gdl.Game,
        state: gdl.State,
        rng: random.Random,
        settings: MctsSettings = DEFAULTS,
    ) -> None:
        self.game = game
        self.settings = settings
        self.best_line: CompleteLine | None = None
        self._upper = BEST
        self._sampling = MctsSearch(game, state, game.roles[0], rng, settings)
        self._breadth = breadth_first(game, state, settings.max_nodes)

    @property
    def num_nodes(self) -> int:
        """Upper bound of the number of states that the two searches hold together."""
        return self._sampling.num_nodes + self._breadth.num_states

    @property
    def effort(self) -> Effort:
        """The work of the Monte Carlo search, but with `num_nodes` of both searches."""
        sampling = self._sampling.effort
        return replace(sampling, num_nodes=self.num_nodes)

    @property
    def state(self) -> gdl.State:
        """The state at the root."""
        return self._sampling.state

    @property
    def is_decided(self) -> bool:
        """Whether the best line is proven optimal, or the move is forced."""
        is_forced = not self._sampling.root.deciders
        return is_forced or (self.best_line is not None and self.best_line.goal >= self._upper)

    def step(self, deadline: Deadline) -> bool:
        """Take a step of the search that has computed fewer states, or else of the other search.

        Return False if neither can take a step, or if the best line is proven optimal.
        """
        if self.best_line is not None and self.best_line.goal >= self._upper:
            return False
        if self._breadth.num_states <= self._sampling.num_states:
            did_step = self._breadth.step(deadline) or self._sampling.step(deadline)
        else:
            did_step = self._sampling.step(deadline) or self._breadth.step(deadline)
        self._take_over(self._breadth.best_line)
        self._take_over(self._sampling.best_line)
        if self.best_line is not None and self._breadth.is_exhausted:
            self._upper = self.best_line.goal
        return did_step

    def advance(self, moves: Joint, state: gdl.State) -> None:
        """Keep the rest of the best line if it starts with `moves`, else look for another."""
        self.best_line = self.best_line and self.best_line.after(moves)
        if self.best_line is None:
            self._upper = BEST
        self._sampling.advance(moves, state)
        self._breadth = breadth_first(self.game, state, self.settings.max_nodes)

    def result(self) -> SearchResult:
        """Return the first move of the best line; if there is none, the Monte Carlo result."""
        sampled = self._sampling.result()
        line = self.best_line
        if line is None or not line.moves:
            return sampled
        move = line.moves[0][0]
        visits = sum(value.visits for value in sampled.moves if value.move is move)
        return line.as_result(self._upper, visits, sampled.visits, sampled)

    def _take_over(self, line: CompleteLine | None) -> None:
        if line is not None and line.is_better_than(self.best_line):
            self.best_line = line
