"""The exact worth of the late positions of a match, where two roles take turns and share out a sum.

The solver is an alpha-beta search that goes back from the end: a position is worth at least what
the one that followed it is, to the role that moved there, so all that has to be searched is whether
another move was better, and what was found of later positions stands in the same table.
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
    """The exact worth of a position.

    Attributes:
        goals: What both roles get.
        better: What the search found of a better move than the one that was made; None if there
            is none.
    """

    goals: tuple[float, float]
    better: SearchResult | None = None


class Solver:
    """Finds what positions are worth to both roles of a game, exactly."""

    def __init__(self, game: gdl.Game, search: ArraySearch, total: float) -> None:
        self._game = game
        self._search = search
        self._total = total

    def solve(
        self, line: MatchLine, deadline: Deadline, most_nodes: int | None = None
    ) -> dict[int, Exact]:
        """What the positions of a match are worth, from the last one backwards.

        It ends where one takes too long: those before it would take longer.

        Args:
            most_nodes: States that may be looked at for all of them.

        Returns:
            By the number of moves before.
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
    """A solver; None unless the game is compiled, and two roles take turns and share out a sum.

    It may work while another thread asks the game: it has a machine of its own.
    """
    if game.scalar is None or random_index(game) is not None:
        return None
    if sharing.total is None or not sharing.is_in_turns:
        return None
    own = replace(game, machine=game.scalar.fork())
    search = make_search(own, own.roles[0], EvenEvaluation(own))
    return None if search is None else Solver(own, search, sharing.total)
