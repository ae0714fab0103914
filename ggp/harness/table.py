"""A whole match: the roles that are asked, and what they answer; others play by themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ggp.harness.game import HarnessGame, Opponent
from ggp.harness.turn import Counts, Message, RoleTurn


class Table:
    """A match in which some roles are asked for each move that they can choose.

    Whoever drives it sends the `messages` of a role that is `waiting` to a model, gives what it
    says to `answer`, and does so until `is_over`.

    Attributes:
        counts: Of the answers of each role so far.
    """

    def __init__(
        self,
        game: HarnessGame,
        roles: Sequence[str],
        seed: int = 0,
        *,
        rethinks: int = 3,
        shows_legal: bool = True,
        opponent: Opponent | None = None,
    ) -> None:
        """Start a match.

        Args:
            roles: Who is asked.
            rethinks: Further tries after an illegal answer; then a random move is made.
            shows_legal: Whether the legal moves are told.
            opponent: Who plays the other roles; moves at random without it.

        Raises:
            ValueError: The game has no such role.
        """
        for role in roles:
            if role not in game.players:
                known = " ".join(game.players)
                raise ValueError(f"{game.name}: expected a role of {known}, got {role}")
        self.match = game.match(seed, opponent)
        self.counts = {role: Counts() for role in roles}
        self._rethinks = rethinks
        self._shows_legal = shows_legal
        self._turns: dict[str, RoleTurn] = {}
        self._go_on()

    def _go_on(self) -> None:
        """Play until somebody is to be asked."""
        while not self.match.is_over:
            asked = [role for role in self.match.deciding() if role in self.counts]
            if asked:
                self._turns = {role: self._ask(role) for role in asked}
                return
            self.match.play({})
        self._turns = {}

    def _ask(self, role: str) -> RoleTurn:
        return self.match.ask(role, self._rethinks, shows_legal=self._shows_legal)

    @property
    def is_over(self) -> bool:
        """Whether there is nothing more to answer."""
        return not self._turns

    @property
    def waiting(self) -> list[str]:
        """The roles that have not answered with a move yet."""
        return [role for role, turn in self._turns.items() if not turn.is_settled]

    def messages(self, role: str) -> list[Message]:
        """The messages to be sent for a role; none where nothing is asked of it."""
        return list(self._turns[role].messages) if role in self.waiting else []

    def answer(self, role: str, text: str) -> None:
        """Read an answer, and play on when all have moved; ignored where none is awaited."""
        if role not in self.waiting or not self._turns[role].answer(text):
            return
        self.counts[role].add(self._turns[role])
        if not self.waiting:
            self.match.play({role: turn.move or "" for role, turn in self._turns.items()})
            self._go_on()

    def score(self, role: str) -> float:
        """The goal value of a role, from 0 to 1; 0 while the match goes on."""
        return self.match.goals()[role] / 100 if self.is_over else 0.0

    def result(self) -> dict[str, Any]:
        """The match, and the score and counts of each role that was asked, as JSON."""
        roles = {
            role: {"score": self.score(role), **counts.to_json()}
            for role, counts in self.counts.items()
        }
        return {"roles": roles, "match": self.match.to_json()}


def play(table: Table, ask: Callable[[list[Message]], str]) -> dict[str, Any]:
    """Play a match to its end with somebody who answers messages."""
    while not table.is_over:
        for role in table.waiting:
            table.answer(role, ask(table.messages(role)))
    return table.result()
