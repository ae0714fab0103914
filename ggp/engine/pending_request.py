"""A request to an engine process: all that has come back so far, and what it owes.

>>> duty = Duty()
>>> duty.asked(Follow(7, 0, (), is_last=False))  # from now on it owes to take that up
>>> duty.heard(Begun(7))  # now it makes the steps
>>> duty.is_at_rules
True
>>> duty.heard(Done(7))  # now it owes nothing
>>> duty.since
inf
"""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import Callable
from typing import NoReturn

from ggp import clock
from ggp.engine.errors import WorkerHangsError, WorkerLostError
from ggp.engine.wire import (
    Begin,
    Begun,
    Best,
    Command,
    Done,
    Event,
    Failed,
    Follow,
    MovedReply,
    Ready,
)


class PendingRequest:
    """The latest event of each kind that answers one request.

    Attributes:
        lost: Why there will be no more events; None as long as the process lives.
        has_hung: Whether that is because it lived and did nothing.
        is_superseded: Whether the process has been asked something else since.
        moved_at: When it had made the moves, on the monotonic clock; then its player thinks.
    """

    def __init__(self, request: int) -> None:
        self.request = request
        self.ready: Ready | None = None
        self.moved: MovedReply | None = None
        self.moved_at = math.inf
        self.best: Best | None = None
        self.done: Done | None = None
        self.failed: Failed | None = None
        self.lost: str | None = None
        self.has_hung = False
        self.is_superseded = False
        self._changed = asyncio.Event()

    @property
    def is_over(self) -> bool:
        """Whether the process has carried the command out, said that it cannot, or need not."""
        return self.done is not None or self.failed is not None or self.is_superseded

    def take(self, event: Event) -> None:
        """Keep an event and wake those who wait."""
        match event:
            case Ready():
                self.ready = event
            case MovedReply():
                self.moved, self.moved_at = event, min(self.moved_at, clock.now())
            case Best():
                self.best = event
            case Done():
                self.done = event
            case Failed():
                self.failed = event
        self._changed.set()

    def lose(self, reason: str, *, has_hung: bool = False) -> None:
        """The process is gone."""
        self.lost, self.has_hung = reason, has_hung
        self._changed.set()

    def supersede(self) -> None:
        """The process was asked something else; the answer to this no longer matters."""
        self.is_superseded = True
        self._changed.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until a condition on the events holds, or the command is over.

        Raises:
            WorkerLostError: The process is gone and the condition does not hold.
        """
        while not (condition() or self.is_over):
            self._raise_if_lost()
            self._changed.clear()
            await self._changed.wait()

    async def until_moved(self) -> None:
        """Wait until the position is known, or the process is lost."""
        with contextlib.suppress(WorkerLostError):
            await self.until(lambda: self.moved is not None)

    async def until_lost(self) -> NoReturn:
        """Wait until the process is gone.

        Raises:
            WorkerLostError: It is.
        """
        while True:
            self._raise_if_lost()
            self._changed.clear()
            await self._changed.wait()

    async def until_over(self) -> None:
        """Wait until the command is over.

        Raises:
            WorkerLostError: The process is gone before.
        """
        await self.until(lambda: self.is_over)

    def _raise_if_lost(self) -> None:
        if self.lost is not None:
            raise (WorkerHangsError if self.has_hung else WorkerLostError)(self.lost)


Progress = Begun | MovedReply | Done | Failed
"""The events that come when one part of a command is done, whatever the player does meanwhile."""


class Duty:
    """The next thing that a process owes: to take up a command, make its steps, return in time.

    Attributes:
        since: The moment since which it owes something; one to come while it may still search,
            infinity while it owes nothing. Commands that are not taken up do not move it.
        is_at_rules: Whether it reads the rules or makes steps.
        slowest_seconds: The longest time that it has kept anybody waiting, START left out.
    """

    def __init__(self) -> None:
        self.since = math.inf
        self.is_at_rules = False
        self.slowest_seconds = 0.0
        self._request = 0
        self._may_search_until = -math.inf
        self._is_beginning = False

    def asked(self, command: Command) -> None:
        """A command has been sent."""
        self._request = command.request
        self._is_beginning = isinstance(command, Begin)
        self._may_search_until = -math.inf if isinstance(command, Follow) else command.moment
        self.since = min(self.since, clock.now())

    def heard(self, event: Progress) -> None:
        """A part is done."""
        now = clock.now()
        if not (self.is_at_rules and self._is_beginning):
            self.slowest_seconds = max(self.slowest_seconds, now - self.since)
        self.is_at_rules = isinstance(event, Begun)
        is_newest = event.request == self._request
        match event:
            case MovedReply() if is_newest:
                self.since = max(now, self._may_search_until)
            case Done() | Failed() if is_newest:
                self.since = math.inf
            case _:
                self.since = now
