"""The exact worth of the positions of a match, from its end backwards, by alpha-beta search.

A position is worth at least what the one that followed it is, to the role that moved there. So all
that has to be searched is whether another move was better; and what was found of later positions
stands in the same table.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

import gdl
from ggp.clock import Deadline
from ggp.report.match_line import MatchLine
from ggp.search.core.choices import random_index
from ggp.search.core.result import BEST, WORST, OutOfTime, SearchResult
from ggp.search.evaluation import EvenEvaluation
from ggp.search.fast.alphabeta.search import ArraySearch, make_search

NUM_GAMES, NUM_STEPS = 256, 512
"""Random games by which it is seen whether two roles share out a sum, taking turns."""


class Exact(NamedTuple):
    """The exact worth of a position.

    Attributes:
        worth: What the first role gets.
        better: What the search found of a better move than the one that was made; None if there
            is none.
    """

    worth: float
    better: SearchResult | None = None


class Solver:
    """Finds what positions are worth to both roles of a game, exactly."""

    def __init__(self, game: gdl.Game, search: ArraySearch, total: float) -> None:
        self._game = game
        self._search = search
        self._total = total

    def solve(self, line: MatchLine, clock: Deadline, found: dict[int, Exact]) -> None:
        """Find what the positions of a match are worth, from the last one backwards.

        It ends where one takes too long: those before it would take longer.

        Args:
            line: The match.
            clock: When to give up.
            found: By the number of moves before, is written.
        """
        for turn in range(line.num_turns, -1, -1):
            after = found[turn + 1].worth if turn < line.num_turns else None
            exact = self._exact(line, turn, after, clock)
            if exact is None:
                break
            found[turn] = exact

    def goals(self, worth: float) -> tuple[float, ...]:
        """The goals of both, from that of the first."""
        return worth, self._total - worth

    def _exact(
        self, line: MatchLine, turn: int, after: float | None, deadline: Deadline
    ) -> Exact | None:
        """What a position is worth; None if that takes too long."""
        machine, state = self._game, line.states[turn]
        if machine.is_terminal(state):
            return Exact(float(machine.goal(state, machine.roles[0])))
        deciders = line.deciders(turn) if turn < line.num_turns else ()
        if after is not None and not deciders:
            return Exact(after)
        low, high = max(WORST, self._total - BEST), min(BEST, self._total)
        if after is not None:
            low, high = (after, high) if deciders[0] == 0 else (low, after)
            if low >= high:
                return Exact(after)
        try:
            found = self._search.look(state, depth=None, deadline=deadline, window=(low, high))
        except OutOfTime:
            return None
        worth = min(max(found.value, low), high)
        return Exact(worth, None if worth == after else found.result)


def solver_of(game: gdl.Game) -> Solver | None:
    """A solver; None unless two roles take turns and share out a sum, as far as that is seen.

    It may work while another thread asks the game: it has a machine of its own.
    """
    if len(game.roles) != 2 or random_index(game) is not None or game.scalar is None:
        return None
    own = replace(game, machine=game.scalar.fork())
    total = _shared_sum(game)
    search = make_search(own, own.roles[0], EvenEvaluation(own))
    return None if total is None or search is None else Solver(own, search, total)


def _shared_sum(game: gdl.Game) -> float | None:
    """What the goals of two roles that take turns add up to; None if that is not always the same.

    By random games: where the ends that they come to are alike, so are the others, as a rule.
    """
    batch = game.batch(NUM_GAMES)
    rng = np.random.default_rng(0)
    sums: set[int] = set()
    for _ in range(NUM_STEPS):
        if (batch.num_legal > 1).all(axis=1).any():
            return None
        batch.step(batch.draw(rng))
        ended = batch.is_terminal.nonzero()[0]
        sums.update(batch.goals[ended].sum(axis=1).tolist())
        if len(sums) > 1:
            return None
    return float(sums.pop()) if sums else None
