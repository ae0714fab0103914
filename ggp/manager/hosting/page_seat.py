"""The seat of a person who plays by hand: a page sends the move when it is made."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence

from ggp.manager.errors import ConflictError, WrongRequestError
from ggp.manager.store.turns import KeptMove
from ggp.match.errors import AdjournedError, TakeBackError
from ggp.match.rulebook import FollowedRulebook
from ggp.match.seat import Answer, Invitation, OwnSeat, TurnReport, judge

QUICK_SECONDS = 2.0
"""A page may be so quick that its move comes before the referee has asked for it."""


class PersonAwayError(AdjournedError):
    """Nobody moved for so long that the others need not wait any longer."""


class PageSeat(OwnSeat):
    """Waits for a move that somebody makes, for a good while.

    Attributes:
        turn: The turn that a move is waited for in, from 1; None while nobody is asked.
        hinders: Who at the table cannot take moves back; empty if everybody can.
    """

    def __init__(
        self, name: str, role: str, book: FollowedRulebook, seconds: float, kept: KeptMove
    ) -> None:
        self.name = name
        self.turn: int | None = None
        self.hinders = ""
        self._role = role
        self._book = book
        self._seconds = seconds
        self._kept = kept
        self._made: str | None = None
        """In the turn in which the match was interrupted."""
        self._is_keeping = False
        self._answer: asyncio.Future[str] | None = None
        self._next = 1
        self._is_asked = asyncio.Event()

    async def start(self, invitation: Invitation) -> None:
        """A person is always ready."""

    async def resume(self, invitation: Invitation, history: Sequence[TurnReport]) -> None:
        """A person sees the board; a move that was made before the match rested still counts."""
        self._next = len(history) + 1
        self._made = await self._kept.found(self._next)

    async def play(self, report: TurnReport) -> Answer:
        """The move, once it is made."""
        made, self._made = self._made, None
        if made is not None and report.turn + 1 == self._next:
            self._next += 1
            return Answer(made)
        self._answer = asyncio.get_running_loop().create_future()
        self.turn = report.turn + 1
        self._next = self.turn + 1
        self._is_asked.set()
        try:
            async with asyncio.timeout(self._seconds):
                return Answer(await self._answer)
        except TimeoutError:
            minutes = self._seconds / 60
            raise PersonAwayError(f"nobody moved {self._role} for {minutes:.0f} minutes") from None
        finally:
            self.turn = self._answer = None
            self._is_asked.clear()

    async def move(self, text: str, turn: int) -> None:
        """Make a move in a turn, from 1; it is written down when this returns."""
        if turn == self._next:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(QUICK_SECONDS):
                    await self._is_asked.wait()
        waiting = self._waiting()
        if self.turn != turn or waiting is None:
            raise self._too_late(turn)
        move = self._legal(text)
        self._is_keeping = True
        try:
            await self._kept.keep(turn, move)
        finally:
            self._is_keeping = False
        if waiting.done():  # the match rests, or somebody has taken moves back
            await self._kept.drop()
            raise self._too_late(turn)
        waiting.set_result(move)
        self._is_asked.clear()  # or a quick page's next move would not wait to be asked for

    def _waiting(self) -> asyncio.Future[str] | None:
        is_open = self._answer is not None and not self._answer.done() and not self._is_keeping
        return self._answer if is_open else None

    def _too_late(self, turn: int) -> ConflictError:
        return ConflictError(f"no move of {self._role} is waited for in turn {turn}")

    def _legal(self, text: str) -> str:
        legal = self._book.legal(self._role)
        if judge(text, legal)[0] is None and judge(f"({text})", legal)[0] is not None:
            text = f"({text})"  # people leave the outer parentheses out
        if judge(text, legal)[0] is None:
            some = ", ".join(legal[:5]) + (", ..." if len(legal) > 5 else "")
            raise WrongRequestError(f"move: expected one of {some}, got {text!r:.100}")
        return text

    def take_back(self, num_turns: int) -> None:
        """Go back to the position after so many turns."""
        waiting = self._waiting()
        if self.turn is None or waiting is None:
            raise ConflictError(f"nothing can be taken back while {self._role} need not move")
        if self.hinders:
            raise ConflictError(f"{self.hinders} cannot take moves back")
        if num_turns >= self.turn:
            raise WrongRequestError(
                f"turns: expected a number from 0 to {self.turn - 1}, got {num_turns}"
            )
        waiting.set_exception(TakeBackError(num_turns))

    async def go_back(self, num_turns: int) -> None:
        """The board shows it."""
        self._next = num_turns + 1

    async def abort(self) -> None:
        """The page shows it."""
