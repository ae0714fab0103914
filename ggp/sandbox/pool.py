"""Limit on the number of processes at once, whoever asks for them."""

from __future__ import annotations

import asyncio
import contextlib
import math
from collections.abc import AsyncIterator
from typing import Final

from ggp.processes import OwnsProcesses
from ggp.sandbox.process import Sandbox, SandboxBounds, SandboxError

MAX_WAITING: Final = 64


class SandboxBusyError(SandboxError):
    """All processes that there may be are answering others."""


class SandboxPool(OwnsProcesses):
    """Sandboxes that share a few places for their processes.

    A sandbox takes a place while it answers. Its process stays until another one needs the place;
    then the one that has not been asked for longest goes, to come back when it is asked again.

    async with SandboxPool(num_places=4) as pool, pool.lent() as sandbox:
        findings = await sandbox.check(text)
    """

    def __init__(
        self, num_places: int, *, patience: float = math.inf, bounds: SandboxBounds | None = None
    ) -> None:
        """A pool without processes.

        Args:
            num_places: How many processes there may be.
            patience: Seconds after which who waits for a place gives up; infinity is allowed, and
                then any number may wait.
            bounds: Of each process.
        """
        self._num_places = num_places
        self._patience = patience
        self._bounds = bounds
        self._turns = asyncio.Semaphore(num_places)
        self._num_waiting = 0
        self._busy: set[Sandbox] = set()
        self._alive: dict[Sandbox, None] = {}  # those with a process, last asked comes last
        self._unused: list[Sandbox] = []

    def sandbox(self) -> Sandbox:
        """A sandbox of the caller's own, who closes it."""
        return Sandbox(self._bounds, self)

    @contextlib.asynccontextmanager
    async def lent(self) -> AsyncIterator[Sandbox]:
        """A sandbox for a question or a few, which nobody else asks meanwhile.

        Raises:
            SandboxBusyError: There is none for too long.
        """
        async with self._turn():
            sandbox = self._unused.pop() if self._unused else self.sandbox()
            self._busy.add(sandbox)
            try:
                yield sandbox
            finally:
                self._busy.discard(sandbox)
                self._unused.append(sandbox)

    @contextlib.asynccontextmanager
    async def place(self, sandbox: Sandbox) -> AsyncIterator[None]:
        """Place for a sandbox to have a process and let it answer.

        Raises:
            SandboxBusyError: There is none for too long.
        """
        if sandbox in self._busy:  # it is lent
            await self._make_room(sandbox)
            yield
            return
        async with self._turn():
            self._busy.add(sandbox)
            try:
                await self._make_room(sandbox)
                yield
            finally:
                self._busy.discard(sandbox)

    def forget(self, sandbox: Sandbox) -> None:
        """Take note that a sandbox has no process any more."""
        self._alive.pop(sandbox, None)

    async def close(self) -> None:
        """End all processes."""
        for sandbox in list(self._alive):
            await sandbox.close()

    async def _make_room(self, sandbox: Sandbox) -> None:
        self._alive.pop(sandbox, None)
        self._alive[sandbox] = None
        while len(self._alive) > self._num_places:
            idle = next(other for other in self._alive if other not in self._busy)
            del self._alive[idle]
            await idle.rest()

    @contextlib.asynccontextmanager
    async def _turn(self) -> AsyncIterator[None]:
        """One of as many turns at once as there are places."""
        is_patient = self._patience == math.inf
        if self._num_waiting >= MAX_WAITING and not is_patient:
            raise self._busy_error()
        self._num_waiting += 1
        try:
            async with asyncio.timeout(None if is_patient else self._patience):
                await self._turns.acquire()
        except TimeoutError:
            raise self._busy_error() from None
        finally:
            self._num_waiting -= 1
        try:
            yield
        finally:
            self._turns.release()

    def _busy_error(self) -> SandboxBusyError:
        return SandboxBusyError(
            f"all {self._num_places} processes for rulesheets are busy; try again later"
        )
