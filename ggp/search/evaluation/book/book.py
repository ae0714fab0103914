"""The book of one game: its endgame table, its opening book, and the advice that they give."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import gdl
from ggp.errors import GgpError
from ggp.search.core.result import MoveValue, SearchResult
from ggp.search.evaluation.book.endgame import EndgameTable, StateCode
from ggp.search.evaluation.evaluation import Evaluation
from ggp.search.evaluation.weights import Figure, OfGame

MAX_MOVES = 8  # number of moves that are stored for a state: the best ones


class Tried(NamedTuple):
    """A search's estimate of one move, as the book stores it."""

    move: str
    value: float  # estimated goal of the role that moves, 0..100
    visits: int


Entries = Mapping[bytes, Mapping[int, tuple[Tried, ...]]]
"""The moves that the book stores, the best first, by the key of a state and the index of a role."""


class OpeningBook:
    """States near the start, with the best moves of each role that has a choice there."""

    def __init__(self, code: StateCode, entries: Entries) -> None:
        self.code = code
        self.entries = entries

    @property
    def num_states(self) -> int:
        """Number of states with an entry."""
        return len(self.entries)

    def result(
        self, machine: gdl.StateMachine, state: gdl.State, role: gdl.Role
    ) -> SearchResult | None:
        """Return the moves that the book recommends to a role in a state, or None."""
        key = self.code.key(machine.facts(state)) if self.entries else None
        found = self.entries.get(key, {}) if key is not None else {}
        legal = {str(move): move for move in machine.legal_moves(state, role)}
        moves = tuple(
            MoveValue(legal[tried.move], tried.value, tried.visits)
            for tried in found.get(machine.roles.index(role), ())
            if tried.move in legal
        )
        if not moves:
            return None
        return SearchResult.ranked(moves, sum(move.visits for move in moves))


def kept(result: SearchResult) -> tuple[Tried, ...]:
    """Return the part of a search result that the book stores."""
    best = [each for each in result.moves if each.move is result.move]
    others = [each for each in result.moves if each.move is not result.move]
    return tuple(
        Tried(str(each.move), round(each.value, 2), each.visits)
        for each in [*best, *others][:MAX_MOVES]
    )


class BookError(GgpError):
    """A book is unusable. The message says which book, and why."""


class Advice(NamedTuple):
    """A book's advice on a state."""

    result: SearchResult
    source: Literal["endgame", "opening"]


@dataclass(frozen=True, slots=True)
class Book(OfGame):
    """Knowledge about a game, computed before the match: an endgame table and an opening book."""

    NOUN = ("a book", "that")
    REMEDY = "build one with `ggp book build`"
    ERROR = BookError

    endgame: EndgameTable  # states with exact values
    opening: OpeningBook  # states near the start, with the preferred moves
    is_complete: bool  # whether the endgame table has every state, so that the game is solved
    figures: Mapping[str, Figure] = field(default_factory=dict)
    """Facts about how the book was built, for example the seconds that it took."""

    @property
    def code(self) -> StateCode:
        """The code that converts states to keys."""
        return self.endgame.code

    def advise(self, game: gdl.Game, state: gdl.State, role: gdl.Role) -> Advice | None:
        """Return the book's advice to a role in a state that is not terminal, or None."""
        found = self.endgame.result(game, state, role)
        if found is not None:
            return Advice(found, "endgame")
        found = self.opening.result(game, state, role)
        return None if found is None else Advice(found, "opening")


class BookEvaluation:
    """An evaluation with the exact values of the endgame table, and estimates for other states.

    The evaluation `otherwise` gives the estimates.
    """

    def __init__(self, game: gdl.Game, book: Book, otherwise: Evaluation) -> None:
        self._game = game
        self._table = book.endgame
        self._otherwise = otherwise

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """Return the value of every role. It is exact if the table has the state."""
        known = self._table.look_up(self._game, state)
        return self._otherwise(state) if known is None else known.values
