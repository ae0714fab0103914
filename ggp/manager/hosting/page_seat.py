"""The seat of a person, whose moves come from a page.

If there is only one legal move, the seat makes it. The person's clock runs from the request for a
move until the move arrives. It does not run while the move is being stored.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Sequence
from dataclasses import dataclass

from ggp.manager.domain.people import PersonClock
from ggp.manager.errors import ConflictError, WrongRequestError
from ggp.manager.hosting.people import MatchPeople
from ggp.manager.store.turns import KeptMove
from ggp.match.errors import AdjournedError, MatchError, TakeBackError
from ggp.match.rulebook import FollowedRulebook
from ggp.match.seat import Answer, Invitation, OwnSeat, TurnReport, judge

QUICK_SECONDS = 2.0
"""Longest time that a move sent early waits until the referee asks for it."""


class PersonAwayError(AdjournedError):
    """A person without a clock did not move for a long time.

    Attributes:
        role: The role that was to move.
    """

    def __init__(self, role: str, seconds: float) -> None:
        self.role = role
        super().__init__(f"{role} made no move for {seconds / 60:.0f} minutes")


class NoShowError(MatchError):
    """A person with a clock made no first move in time.

    Attributes:
        role: The role that was to move.
    """

    def __init__(self, role: str, message: str) -> None:
        self.role = role
        super().__init__(message)


class TimeUpError(MatchError):
    """A person's clock ran out. `MatchPeople.out_of_time` has the roles of all such people."""


@dataclass(slots=True)
class SeatTime:
    """Time that a person has left.

    Attributes:
        left: Milliseconds on the clock. None before the first move.
    """

    clock: PersonClock | None
    left: int | None
    without_clock: float
    """Seconds for a move if there is no clock."""

    @property
    def limit(self) -> float:
        """Seconds for the current move."""
        return self.without_clock if self.clock is None else self.clock.limit(self.left)

    def after(self, used: float) -> int | None:
        """Return the milliseconds on the clock after a move that took `used` seconds."""
        return None if self.clock is None else self.clock.after(self.left, used)


class PageSeat(OwnSeat):
    """The seat of a person, which waits for moves from the page.

    Attributes:
        turn: The turn for which a move is awaited, counted from 1. None if no move is awaited.
        hinders: Name of a player that cannot take moves back. Empty if all players can.
    """

    def __init__(
        self,
        name: str,
        role: str,
        book: FollowedRulebook,
        time: SeatTime,
        kept: KeptMove,
        people: MatchPeople | None,
    ) -> None:
        """Create the seat. It notifies `people`, if given, when it waits and when it has a move."""
        self.name = name
        self.turn: int | None = None
        self.hinders = ""
        self._role = role
        self._book = book
        self._time = time
        self._kept = kept
        self._people = people
        self._made: str | None = None
        """The move that was stored for the turn in which the match was interrupted."""
        self._is_keeping = False
        self._answer: asyncio.Future[str] | None = None
        self._began = 0.0
        self._timer: asyncio.TimerHandle | None = None
        self._next = 1
        self._is_asked = asyncio.Event()

    async def start(self, invitation: Invitation) -> None:
        """Do nothing, because a person is always ready."""

    async def resume(self, invitation: Invitation, history: Sequence[TurnReport]) -> None:
        """Read a move that was made before the match paused, because the move still counts."""
        self._next = len(history) + 1
        self._made = await self._kept.found(self._next)

    async def play(self, report: TurnReport) -> Answer:
        """Wait for the person's move and return it."""
        made, self._made = self._made, None
        turn = report.turn + 1
        is_made = made is not None and turn == self._next
        self._next = turn + 1
        if made is not None and is_made:
            return Answer(made)
        legal = self._book.legal(self._role)
        if len(legal) == 1:
            return Answer(legal[0])
        return Answer(await self._choice(turn))

    async def _choice(self, turn: int) -> str:
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._answer = answer
        self.turn = turn
        self._began = asyncio.get_running_loop().time()
        self._run_clock(self._time.limit)
        if self._people is not None:
            self._people.wait(self._role, self._time.limit, self._time.left)
        self._is_asked.set()
        try:
            return await answer
        finally:
            self._stop_clock()
            self._is_asked.clear()
            if answer.done() and not answer.cancelled() and answer.exception() is not None:
                self._take_time_used()  # the clock has also run if moves were taken back meanwhile
            self.turn = self._answer = None
            if self._people is not None:
                self._people.answered(self._role, self._time.left)

    def _run_clock(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self._timer = loop.call_later(max(0.0, seconds), self._time_is_up)

    def _stop_clock(self) -> None:
        if self._timer is not None:
            self._timer.cancel()

    def _used(self) -> float:
        return asyncio.get_running_loop().time() - self._began

    def _take_time_used(self) -> None:
        time = self._time
        if time.clock is not None and time.clock.kind == "game" and time.left is not None:
            time.left = max(0, time.left - round(self._used() * 1000))

    def _time_is_up(self) -> None:
        waiting = self._waiting()
        if waiting is not None:
            waiting.set_exception(self._expiry())

    def _expiry(self) -> Exception:
        if self._time.clock is None:
            return PersonAwayError(self._role, self._time.limit)
        if self._time.left is None:
            return NoShowError(
                self._role,
                f"{self._role} ({self.name}) made no first move within {self._time.limit:.0f} s",
            )
        if self._people is not None:
            self._people.out_of_time.add(self._role)
        return TimeUpError(f"{self._role} ({self.name}) ran out of time")

    async def move(self, text: str, turn: int) -> None:
        """Make a move in a turn, counted from 1. When the call returns, the move is stored."""
        if turn == self._next:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(QUICK_SECONDS):
                    await self._is_asked.wait()
        waiting = self._waiting()
        if self.turn != turn or waiting is None:
            raise self._too_late(turn)
        move = self._legal(text)
        self._stop_clock()
        used = self._used()
        left = self._time.after(used)
        self._is_keeping = True
        try:
            await self._kept.keep(turn, move, left)
        except BaseException:
            if not waiting.done():
                self._run_clock(self._time.limit - used)
            raise
        finally:
            self._is_keeping = False
        if waiting.done():  # the match was paused, or moves were taken back
            await self._kept.drop(self._time.left)
            raise self._too_late(turn)
        self._time.left = left
        waiting.set_result(move)
        self._is_asked.clear()  # otherwise a page's next quick move would not wait for the referee
        if self._people is not None:
            self._people.chose(self._role)

    def _waiting(self) -> asyncio.Future[str] | None:
        is_open = self._answer is not None and not self._answer.done() and not self._is_keeping
        return self._answer if is_open else None

    def _too_late(self, turn: int) -> ConflictError:
        who = "" if self._people is None else self._people.who_is_waited_for()
        also = f": {who}" if who else ""
        if also and self._people is not None and self._people.turn != turn:
            also = f", but turn {self._people.turn} is played{also}"
        return ConflictError(
            f"the match is not waiting for a move of {self._role} in turn {turn}{also}"
        )

    def _legal(self, text: str) -> str:
        legal = self._book.legal(self._role)
        if judge(text, legal)[0] is None and judge(f"({text})", legal)[0] is not None:
            text = f"({text})"  # people omit the outer parentheses
        if judge(text, legal)[0] is None:
            some = ", ".join(legal[:5]) + (", ..." if len(legal) > 5 else "")
            example = legal[0] if legal else None
            raise WrongRequestError(f"move: expected one of {some}, got {text!r:.100}", example)
        return text

    def take_back(self, num_turns: int) -> None:
        """Go back to the position after `num_turns` turns."""
        waiting = self.take_back_request(num_turns)
        waiting.set_exception(TakeBackError(num_turns))

    def take_back_request(self, num_turns: int) -> asyncio.Future[str]:
        """Return the future of the awaited move. Raise an error if moves cannot be taken back."""
        waiting = self._waiting()
        if self.turn is None or waiting is None:
            raise ConflictError(f"moves can only be taken back while {self._role} is to move")
        if self.hinders:
            raise ConflictError(f"{self.hinders} cannot take moves back")
        if num_turns >= self.turn:
            raise WrongRequestError(
                f"turns: expected a number from 0 to {self.turn - 1}, got {num_turns}"
            )
        return waiting

    async def go_back(self, num_turns: int) -> None:
        """Continue after `num_turns` turns. The page updates the position on its own."""
        self._next = num_turns + 1

    async def abort(self) -> None:
        """Do nothing, because the page shows the end on its own."""
