"""One command to an engine process and all that has come back so far."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import NoReturn

from ggp.engine.errors import WorkerHangsError, WorkerLostError
from ggp.engine.wire import Best, Done, Event, Failed, MovedReply, Ready


class PendingRequest:
    """The latest event of each kind that answers one request.

    Attributes:
        lost: Why there will be no more events; None as long as the process lives.
        has_hung: Whether that is because it lived and did nothing.
        is_superseded: Whether the process has been asked something else since.
    """

    def __init__(self, request: int) -> None:
        self.request = request
        self.ready: Ready | None = None
        self.moved: MovedReply | None = None
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
                self.moved = event
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
