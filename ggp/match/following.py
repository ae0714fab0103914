"""A rulebook that knows where the match stands, for those who sit at its table."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.match.rulebook import Position, Rulebook


class FollowedRulebook:
    """The rulebook of one match; whatever position the referee asks for is where the match stands.

    Attributes:
        position: The one that was asked for last; an empty one before the match begins.
    """

    def __init__(self, book: Rulebook) -> None:
        self._book = book
        self.roles = book.roles
        self.has_percepts = book.has_percepts
        self.position = Position((), is_terminal=False)

    async def first(self) -> Position:
        """The initial position."""
        self.position = await self._book.first()
        return self.position

    async def after(self, facts: Sequence[str], moves: Sequence[str]) -> Position:
        """The position after a joint move."""
        self.position = await self._book.after(facts, moves)
        return self.position

    async def at(self, facts: Sequence[str]) -> Position:
        """The position of a state."""
        self.position = await self._book.at(facts)
        return self.position

    def legal(self, role: str) -> tuple[str, ...]:
        """The moves that a role has where the match stands; none where it is over."""
        legal = self.position.legal
        return legal[self.roles.index(role)] if legal else ()
