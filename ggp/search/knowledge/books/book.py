"""A book of one game: its endgame table, its opening book, and what they are for."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

import gdl
from ggp.errors import GgpError
from ggp.search.knowledge.books.codes import StateCode
from ggp.search.knowledge.books.endgame import EndgameTable
from ggp.search.knowledge.books.opening import OpeningBook
from ggp.search.knowledge.evaluation.evaluation import Evaluation
from ggp.search.knowledge.evaluation.weights import digest
from ggp.search.result import SearchResult

Figure = str | int | float


class BookError(GgpError):
    """A book cannot be used: the message says which, and why."""


class Advice(NamedTuple):
    """A book's advice on a state."""

    result: SearchResult
    source: Literal["endgame", "opening"]


@dataclass(frozen=True, slots=True)
class Book:
    """All that is known of a game: an endgame table and an opening book.

    Attributes:
        game: Name of the game, for people.
        rules: Digest of its rules; empty if they were not known.
        roles: Its roles, in order.
        endgame: States whose value is exact.
        opening: States near the start, with moves that were preferred.
        is_complete: Whether every state of the game is in the endgame table: it is solved.
        figures: What building it cost, and how it was done.
    """

    game: str
    rules: str
    roles: tuple[str, ...]
    endgame: EndgameTable
    opening: OpeningBook
    is_complete: bool
    figures: Mapping[str, Figure] = field(default_factory=dict)

    @property
    def code(self) -> StateCode:
        """The code that turns states into keys."""
        return self.endgame.code

    def check(self, game: gdl.Game, where: str = "book") -> None:
        """Refuse the book of another game.

        Raises:
            BookError: The roles or the rules are not those of the game.
        """
        roles = tuple(str(role) for role in game.roles)
        if roles != self.roles:
            raise BookError(
                f"{where}: expected a book for the roles {' '.join(roles)}, "
                f"got that of {self.game} for {' '.join(self.roles)}"
            )
        rules = digest(game)
        if rules and self.rules and rules != self.rules:
            raise BookError(
                f"{where}: expected a book for these rules, got that of {self.game}, "
                "whose rules differ; build one with `ggp book build`"
            )

    def advise(self, game: gdl.Game, state: gdl.State, role: gdl.Role) -> Advice | None:
        """The move of a role in a state that is not terminal; None if the book has none."""
        found = self.endgame.result(game, state, role)
        if found is not None:
            return Advice(found, "endgame")
        found = self.opening.result(game, state, role)
        return None if found is None else Advice(found, "opening")


class BookEvaluation:
    """States that are in the endgame table are worth what it says; the others are estimated."""

    def __init__(self, game: gdl.Game, book: Book, otherwise: Evaluation) -> None:
        self._game = game
        self._table = book.endgame
        self._otherwise = otherwise

    def __call__(self, state: gdl.State) -> tuple[float, ...]:
        """The goal of every role, exact if the table has the state."""
        worth = self._table.look_up(self._game, state)
        return self._otherwise(state) if worth is None else worth.values
