"""Exact values of a match's last positions, if its two roles take turns with a fixed sum.

The solver is an alpha-beta search of one position after the other, from the last to the first. A
position is worth at least as much to the role that moves as the next position. So the search only
has to find out whether another move was better. All positions share one transposition table.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import gdl
from ggp.clock import Deadline
from ggp.report.match_line import MatchLine
from ggp.report.sharing import Sharing
from ggp.search.core.choices import random_index
from ggp.search.core.result import BEST, WORST, OutOfTime, SearchResult
from ggp.search.evaluation import EvenEvaluation
from ggp.search.fast.alphabeta.search import ArraySearch, make_search


class Exact(NamedTuple):
    """The exact value of a position.

    Attributes:
        goals: The goals of both roles.
        better: The search result for a better move than the one made, or None.
    """

    goals: tuple[float, float]
    better: SearchResult | None = None


class Solver:
    """Finds the exact values of positions for both roles of a game."""

    def __init__(self, game: gdl.Game, search: ArraySearch, total: float) -> None:
        self._game = game
        self._search = search
        self._total = total

    def solve(
        self, line: MatchLine, deadline: Deadline, most_nodes: int | None = None
    ) -> dict[int, Exact]:
        """Return the exact values of a match's last positions, by the number of turns before each.

        Go backwards from the last position. Stop at a position that takes too long, because earlier
        positions would take even longer.

        Args:
            most_nodes: Maximum number of states to visit for all positions together.
        """
        found: dict[int, Exact] = {}
        for turn in range(line.num_turns, -1, -1):
            after = found[turn + 1].goals[0] if turn < line.num_turns else None
            try:
                worth, better = self._solved(line, turn, after, deadline, most_nodes)
            except OutOfTime:
                break
            found[turn] = Exact((worth, self._total - worth), better)
        return found

    def _solved(
        self,
        line: MatchLine,
        turn: int,
        after: float | None,
        deadline: Deadline,
        most_nodes: int | None,
    ) -> tuple[float, SearchResult | None]:
        machine, state = self._game, line.states[turn]
        if machine.is_terminal(state):
            return float(machine.goal(state, machine.roles[0])), None
        deciders = line.deciders(turn) if turn < line.num_turns else ()
        if after is not None and not deciders:
            return after, None
        low, high = max(WORST, self._total - BEST), min(BEST, self._total)
        if after is not None:
            low, high = (after, high) if deciders[0] == 0 else (low, after)
            if low >= high:
                return after, None
        left = None if most_nodes is None else most_nodes - self._search.nodes
        found = self._search.look(
            state, depth=None, deadline=deadline, window=(low, high), most_nodes=left
        )
        worth = min(max(found.value, low), high)
        return worth, None if worth == after else found.result


def solver_of(game: gdl.Game, sharing: Sharing) -> Solver | None:
    """Return a solver, or None if the game is not suitable.

    The game must be compiled, and its two roles must take turns and have goals with a fixed sum.
    The solver has its own machine, so another thread may use the game at the same time.
    """
    if game.scalar is None or random_index(game) is not None:
        return None
    if sharing.total is None or not sharing.is_in_turns:
        return None
    own = replace(game, machine=game.scalar.fork())
    search = make_search(own, own.roles[0], EvenEvaluation(own))
    return None if search is None else Solver(own, search, sharing.total)
