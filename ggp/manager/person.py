"""A person at the table: the page tells the move when it is made."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ggp.match.errors import TakeBackError
from ggp.match.seat import Answer, Invitation, Told


class PersonSeat:
    """Waits for a move that somebody makes, however long that takes.

    Attributes:
        turn: The turn that a move is waited for in, from 1; None while nobody is asked.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.turn: int | None = None
        self._answer: asyncio.Future[str] | None = None

    async def start(self, invitation: Invitation) -> None:
        """A person is always ready."""

    async def resume(self, invitation: Invitation, history: Sequence[Sequence[str]]) -> None:
        """A person sees the board."""

    async def play(self, told: Told) -> Answer:
        """The move, once it is made.

        Raises:
            TakeBackError: The person wants to go back.
        """
        self._answer = asyncio.get_running_loop().create_future()
        self.turn = told.turn + 1
        try:
            return Answer(await self._answer)
        finally:
            self.turn = self._answer = None

    def move(self, text: str) -> bool:
        """Make a move; whether one was waited for."""
        if self._answer is None or self._answer.done():
            return False
        self._answer.set_result(text)
        return True

    def take_back(self, num_turns: int) -> bool:
        """Go back to the position after so many turns; whether that can be done now."""
        if self._answer is None or self._answer.done():
            return False
        self._answer.set_exception(TakeBackError(num_turns))
        return True

    async def go_back(self, num_turns: int) -> None:
        """The board shows it."""

    async def stop(self, told: Told) -> None:
        """The page shows it."""

    async def abort(self) -> None:
        """The page shows it."""
