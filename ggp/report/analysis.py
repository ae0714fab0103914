"""The analysis that a report on a match comes from: exact where it can be, else estimated.

Both go from the end backwards. The solver is an alpha-beta search: a position is worth at least
what the one that followed it is, to the role that moved there, so all that has to be searched is
whether another move was better, and what was found of later positions stands in the same table. The
estimates are of a Monte Carlo tree search, whose one tree knows all positions. Where the game is
not compiled, or one role is alone, each position has a search of its own.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np

import gdl
from ggp.clock import Deadline
from ggp.match.referee import played_roles
from ggp.players.mcts import MctsPlayer
from ggp.report.judging import Known, judge_moves
from ggp.report.match_line import MatchLine
from ggp.report.match_report import MatchReport, Worth
from ggp.search.core import Search, repeat
from ggp.search.core.choices import random_index
from ggp.search.core.result import BEST, WORST, OutOfTime, SearchResult
from ggp.search.evaluation import EvenEvaluation
from ggp.search.fast.alphabeta.search import ArraySearch, make_search
from ggp.search.fast.tree.search import LaneSearch
from ggp.search.hidden.solving.game_tree import hides_information

SECONDS: Final = 0.5
"""For each turn."""

Progress = Callable[[int, int], None]
"""Told how many positions are done, and how many there are."""


class Limits(NamedTuple):
    """Time and effort that an analysis may take.

    Attributes:
        seconds: For each turn; what one does not need, the others have.
        seed: Of the search.
    """

    seconds: float = SECONDS
    seed: int = 0


def report_on(
    name: str,
    game: gdl.Game,
    line: MatchLine,
    limits: Limits | None = None,
    progress: Progress = lambda *_: None,
) -> MatchReport:
    """Analyse a match from its last position to its first, on two cores where the game has them.

    Args:
        limits: How long that may take.
    """
    known = _Analysis(game, line, limits or Limits()).run(progress)
    return MatchReport(
        game=name,
        roles=tuple(map(str, played_roles(game))),
        worths=tuple(position.worth for position in known),
        moves=judge_moves(game, line, known),
        broken=line.broken,
        hides=hides_information(game),
    )


class _Analysis:
    """The positions of one match, from the last one backwards."""

    def __init__(self, game: gdl.Game, line: MatchLine, limits: Limits) -> None:
        self._game = game
        self._line = line
        self._limits = limits
        self._roles = played_roles(game)
        self._solver = solver_of(game)
        self._estimator = Estimator(game, limits.seed)
        self._exact: dict[int, Exact] = {}

    def run(self, progress: Progress) -> list[Known]:
        num = self._line.num_turns
        self._estimator.prepare(self._line.states[0], self._roles)
        clock = Deadline.after(self._limits.seconds * max(1, num))
        solving = threading.Thread(target=self._solve, args=(clock,), name="solver")
        solving.start()
        try:
            estimates = {}
            for turn in range(num, -1, -1):
                if turn not in self._exact:
                    share = Deadline.after(clock.remaining() / (turn + 1))
                    estimates[turn] = self._estimated(turn, share)
                progress(num + 1 - turn, num + 1)
        finally:
            clock.end()
            solving.join()
        return [self._known(turn, estimates) for turn in range(num + 1)]

    def _solve(self, clock: Deadline) -> None:
        if self._solver is not None:
            self._solver.solve(self._line, clock, self._exact)

    def _known(self, turn: int, estimates: dict[int, Known]) -> Known:
        exact = self._exact.get(turn)
        return estimates[turn] if exact is None else self._solved(exact)

    def _solved(self, exact: Exact) -> Known:
        assert self._solver is not None
        found = {} if exact.better is None else {0: exact.better}
        return Known(Worth(self._solver.goals(exact.worth), is_proven=True), found)

    def _estimated(self, turn: int, deadline: Deadline) -> Known:
        game, state = self._game, self._line.states[turn]
        if game.is_terminal(state):
            goals = [float(game.goal(state, role)) for role in self._roles]
            return Known(Worth(tuple(goals), is_proven=True), {})
        found = self._estimator.look(state, self._roles, deadline, lambda: turn not in self._exact)
        goals = [found[role].value for role in self._roles]
        is_proven = all(found[role].is_proven for role in self._roles)
        by_index = {game.roles.index(role): result for role, result in found.items()}
        return Known(Worth(tuple(goals), is_proven), by_index)


class Estimator:
    """Searches positions of one game, one after the other."""

    def __init__(self, game: gdl.Game, seed: int) -> None:
        self._game = game
        self._seed = seed
        self._tree: LaneSearch | None = None

    def prepare(self, state: gdl.State, roles: tuple[gdl.Role, ...]) -> None:
        """Make the tree, if the game has one for all positions; that can take a second."""
        if not self._game.is_terminal(state):
            search = self._new_search(state, roles[0])
            self._tree = search if isinstance(search, LaneSearch) else None

    def look(
        self,
        state: gdl.State,
        roles: tuple[gdl.Role, ...],
        deadline: Deadline,
        is_needed: Callable[[], bool],
    ) -> dict[gdl.Role, SearchResult]:
        """The findings of a search for each of these roles in a state that is not terminal.

        Args:
            is_needed: Whether more of it is of use; asked between two steps.
        """
        if self._tree is not None:
            self._tree.go_to(state)
            tree = self._tree
            repeat(lambda deadline: is_needed() and tree.step(deadline), deadline)
            return {role: self._tree.result_of(role) for role in roles}
        found = {}
        share = deadline.remaining() / len(roles)
        for role in roles:
            search = self._new_search(state, role)
            repeat(search.step, Deadline.after(share))
            found[role] = search.result()
        return found

    def _new_search(self, state: gdl.State, role: gdl.Role) -> Search:
        return MctsPlayer(self._game, role, {"threads": "1"}, self._seed).new_search(state)


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
