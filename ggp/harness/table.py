"""A whole match: the caller moves for some roles, and the others play on their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ggp.harness.game import HarnessGame, Opponent
from ggp.harness.turn import Counts, Message, RoleTurn


class Table:
    """Match in which models move for some roles whenever these have a choice.

    The caller sends the `messages` of each role in `waiting` to a model and passes the reply to
    `answer`, until `is_over`.

    Attributes:
        counts: Counts of each role's answers so far.
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
            roles: The roles to ask.
            rethinks: Number of retries after an illegal answer. After that, a random move is made.
            shows_legal: Whether the messages list the legal moves.
            opponent: Function that chooses the moves of the other players. If None, they move at
                random.

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
        """Make joint moves until a role has to be asked, or until the match is over."""
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
        """Whether the match has ended, so that no role has to be asked any more."""
        return not self._turns

    @property
    def waiting(self) -> list[str]:
        """The roles that have been asked and whose move is not decided yet."""
        return [role for role, turn in self._turns.items() if not turn.is_settled]

    def messages(self, role: str) -> list[Message]:
        """Return the messages to send for a role. Return [] if the role is not being asked."""
        return list(self._turns[role].messages) if role in self.waiting else []

    def answer(self, role: str, text: str) -> None:
        """Parse a role's answer. Continue the match once the moves of all roles are decided.

        Ignore the answer of a role that is not being asked.
        """
        if role not in self.waiting or not self._turns[role].answer(text):
            return
        self.counts[role].add(self._turns[role])
        if not self.waiting:
            self.match.play({role: turn.move or "" for role, turn in self._turns.items()})
            self._go_on()

    def score(self, role: str) -> float:
        """Return the goal of a role divided by 100, or 0 while the match is running."""
        return self.match.goals()[role] / 100 if self.is_over else 0.0

    def result(self) -> dict[str, Any]:
        """Return the match, with the score and counts of each asked role, as JSON."""
        roles = {
            role: {"score": self.score(role), **counts.to_json()}
            for role, counts in self.counts.items()
        }
        return {"roles": roles, "match": self.match.to_json()}


def play(table: Table, ask: Callable[[list[Message]], str]) -> dict[str, Any]:
    """Play a match to its end and return the result. `ask` returns the answer to messages."""
    while not table.is_over:
        for role in table.waiting:
            table.answer(role, ask(table.messages(role)))
    return table.result()
