"""A request to an engine process: the events received so far, and the work that is still due.

>>> pending_work = PendingWork()
>>> pending_work.asked(Follow(7, 0, (), is_last=False))  # now it has to begin the command
>>> pending_work.heard(Begun(7))  # now it has to make the command's steps
>>> pending_work.is_at_rules
True
>>> pending_work.heard(Done(7))  # now nothing is due
>>> pending_work.since
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
    """One request to a process, and its answer so far: the latest event of each kind.

    Attributes:
        lost: Why there will be no more events. None while the process lives.
        has_hung: Whether the process was alive but did nothing.
        is_superseded: Whether a newer request has been sent to the process.
        moved_at: When the process reported the new position, as a time of `ggp.clock.now()`. The
            player begins to think then. Infinity until the report.
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
        """Whether the command was carried out, has failed, or was superseded by another one."""
        return self.done is not None or self.failed is not None or self.is_superseded

    def take(self, event: Event) -> None:
        """Store an event and wake the tasks that wait for it."""
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
        """Mark the request as lost, because the process is gone."""
        self.lost, self.has_hung = reason, has_hung
        self._changed.set()

    def supersede(self) -> None:
        """Mark the request as superseded, because a newer one is sent to the process."""
        self.is_superseded = True
        self._changed.set()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait until `condition` holds or the command is over.

        Raises:
            WorkerLostError: The process is gone and `condition` does not hold.
        """
        while not (condition() or self.is_over):
            self._raise_if_lost()
            self._changed.clear()
            await self._changed.wait()

    async def until_moved(self) -> None:
        """Wait until the position is known or the process is lost."""
        with contextlib.suppress(WorkerLostError):
            await self.until(lambda: self.moved is not None)

    async def until_lost(self) -> NoReturn:
        """Wait until the process is gone.

        Raises:
            WorkerLostError: The process is gone.
        """
        while True:
            self._raise_if_lost()
            self._changed.clear()
            await self._changed.wait()

    async def until_over(self) -> None:
        """Wait until the command is over.

        Raises:
            WorkerLostError: The process is gone.
        """
        await self.until(lambda: self.is_over)

    def _raise_if_lost(self) -> None:
        if self.lost is not None:
            raise (WorkerHangsError if self.has_hung else WorkerLostError)(self.lost)


Progress = Begun | MovedReply | Done | Failed
"""Events that show that the process has finished a part of a command, unlike a player's reports."""


class PendingWork:
    """The work that a process has to do next: begin a command, make its steps or return in time.

    Attributes:
        since: The time since which work is due. It lies in the future while the process may still
            search, and is infinity if nothing is due. New commands do not postpone it.
        is_at_rules: Whether the process is reading the rules or making steps.
        slowest_seconds: The longest delay so far, not counting START.
    """

    def __init__(self) -> None:
        self.since = math.inf
        self.is_at_rules = False
        self.slowest_seconds = 0.0
        self._request = 0
        self._may_search_until = -math.inf
        self._is_beginning = False

    def asked(self, command: Command) -> None:
        """Record that a command has been sent, so that the process has work to do."""
        self._request = command.request
        self._is_beginning = isinstance(command, Begin)
        self._may_search_until = -math.inf if isinstance(command, Follow) else command.moment
        self.since = min(self.since, clock.now())

    def heard(self, event: Progress) -> None:
        """Record that the process has finished a part of a command."""
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
