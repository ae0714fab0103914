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
    "rounds of search per move instead of a time, so that the same seed gives the same play; "
    "0: as many as the clock allows",
)


class SearchPlayer(Player, ABC):
    """Searches during the startclock, on its own time and on that of the others.

    What its book knows it does not search for.

    Subclasses write `new_search`. With the option `iterations` the clock is not looked at but as
    a limit, and the others' time is not used.
    """

    rounds: int | None = None
    """Rounds per move; None for as many as the clock allows."""

    _search: Search | None = None
    _until_value = False
    """Whether it goes on while its move is clear and the value is not."""
    _num_counted = 0
    """Iterations of the search that the thoughts of earlier turns have told."""

    def set_up(self) -> None:
        """Read the options that all searching players have."""
        self.rounds = ITERATIONS.read(self.options) or None
        self._book = book_from(self.options, self.game)

    @abstractmethod
    def new_search(self, state: gdl.State) -> Search:
        """A search without knowledge, that starts in `state`."""

    def choose(self, state: gdl.State, deadline: Deadline) -> gdl.Move:
        """The best move that the search finds; at once if only one is legal or one is proven."""
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
        """Search on, unless the rounds are counted."""
        if self.rounds is None and self._goes_on(state):
            repeat(self._search_at(state).step, deadline)

    def advance(self, moves: Joint, state: gdl.State) -> None:
        """Keep the part of the tree below the joint move."""
        if self._search is not None:
            self._search.advance(moves, state)

    def _goes_on(self, state: gdl.State) -> bool:
        """Whether there is anything to search for: no book has it, it is not over or stuck."""
        is_solved = self._book is not None and self._book.is_complete
        is_over = is_solved or self.machine.is_terminal(state)
        return not is_over and bool(choices_in(self.machine, state))

    def _search_at(self, state: gdl.State) -> Search:
        """The search whose root is `state`: the one kept, if the game went the way it knows."""
        if self._search is None or self._search.state != state:
            self._search = None  # first of all: both trees may be more than there is room for
            self._search = self.new_search(state)
            self._num_counted = 0
        return self._search

    def _report_on(self, search: Search, turn: TurnEffort) -> None:
        result = search.result()
        # All others are refuted: there is nothing to choose, and the value is a first impression.
        is_forced = search.is_decided and not result.is_settled
        forced = {"forced": True} if is_forced else {}
        if self.belief is not None:  # the state is one of those that may be
            result = result.estimated
        self.report(result.move, **forced, **thoughts_on(result), **turn.figures(search.effort))


def _until_decided(search: Search) -> Step:
    def step(deadline: Deadline) -> bool:
        return not search.is_decided and search.step(deadline)

    return step
