"""A player that owns a search and keeps its tree from move to move."""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import partial

import gdl
from ggp.clock import Deadline
from ggp.players.base import Player
from ggp.players.evaluation_options import book_from
from ggp.players.options import Option, whole
from ggp.players.thoughts import TurnEffort, thoughts_on
from ggp.search.core import Search, repeat
from ggp.search.core.choices import Joint, choices_in, require_moves
from ggp.search.core.search import Step

ITERATIONS = Option(
    "iterations",
    whole(0),
    0,
    "iterations of the search per move, instead of a time limit, so that the same seed gives the "
    "same play; 0: as many as the clock allows",
)


class SearchPlayer(Player, ABC):
    """A player that searches during the startclock, in its turns and while other roles choose.

    If the book has a move, the player makes it without a search.

    Subclasses implement `new_search`. With the option `iterations` the player makes this number of
    iterations if the clock allows it, and does not search while other roles choose.
    """

    rounds: int | None = None
    """Number of search steps per move; None means as many as the clock allows."""

    _search: Search | None = None
    _until_value = False
    """Whether to continue the search if the move is decided but its value is not proven."""
    _num_counted = 0
    """Number of iterations of the search at the end of our last turn, when they were reported."""

    def set_up(self) -> None:
        """Read the options `iterations` and `book`."""
        self.rounds = ITERATIONS.read(self.options) or None
        self._book = book_from(self.options, self.game)

    @abstractmethod
    def new_search(self, state: gdl.State) -> Search:
        """Return a new search from `state`."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """Return the best move that the search finds.

        Return at once if only one move is legal, or if the book has a move. Stop early if the
        search is decided.
        """
        require_moves(self.machine, state)
        moves = self.legal_moves(state)
        if len(moves) <= 1:
            self.report(moves[0], forced=True)
            return moves[0]
        advice = self._book and self._book.advise(self.game, state, self.role)
        if advice:
            self.report(advice.result.move, book=advice.source, **thoughts_on(advice.result))
            return advice.result.move
        search = self._search_at(state)
        report = partial(self._report_on, search, TurnEffort(search.effort, self._num_counted))
        report()
        step = search.step if self._until_value else _until_decided(search)
        repeat(step, deadline, self.rounds, report)
        report()
        self._num_counted = search.effort.num_iterations
        return search.result().move

    def prepare(self, state: gdl.State, deadline: Deadline) -> None:
        """Search from the initial state, unless the book has solved the game."""
        if not self._goes_on(state):
            return
        search = self._search_at(state)
        report = partial(self._report_on, search, TurnEffort(search.effort))
        repeat(search.step, deadline, self.rounds, report)
        report()

    def ponder(self, state: gdl.State, deadline: Deadline) -> None:
        """Continue the search, unless iterations are counted."""
        if self.rounds is None and self._goes_on(state):
            repeat(self._search_at(state).step, deadline)

    def advance(self, moves: Joint, state: gdl.State) -> None:
        """Keep the part of the tree below the joint move."""
        if self._search is not None:
            self._search.advance(moves, state)

    def _goes_on(self, state: gdl.State) -> bool:
        """Return whether a search is useful: the game goes on, and the book has not solved it."""
        is_solved = self._book is not None and self._book.is_complete
        is_over = is_solved or self.machine.is_terminal(state)
        return not is_over and bool(choices_in(self.machine, state))

    def _search_at(self, state: gdl.State) -> Search:
        """Return the current search if its root is `state`, otherwise a new one."""
        if self._search is None or self._search.state != state:
            self._search = None  # first, because there may not be room for both trees
            self._search = self.new_search(state)
            self._num_counted = 0
        return self._search

    def _report_on(self, search: Search, turn: TurnEffort) -> None:
        result = search.result()
        # If the search is decided but its value is not settled, all other moves are refuted. Then
        # there is no choice, and the value is only a rough estimate.
        is_forced = search.is_decided and not result.is_settled
        forced = {"forced": True} if is_forced else {}
        if self.belief is not None:  # other states are possible, so proofs do not count
            result = result.estimated
        self.report(result.move, **forced, **thoughts_on(result), **turn.figures(search.effort))


def _until_decided(search: Search) -> Step:
    def step(deadline: Deadline) -> bool:
        return not search.is_decided and search.step(deadline)

    return step
