"""Processes that search for clients: few at a time, each with the game it was asked for last."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, Final, TypeVar

from ggp.mcp_server.bounds import MAX_SECONDS, ServerBounds
from ggp.mcp_server.known_rules import KnownRules
from ggp.mcp_server.refusals import Code, RefusalError
from ggp.processes.tasks import cancel
from ggp.sandbox import Sandbox, SandboxBounds

MODULE: Final = "ggp.mcp_server.search_process"
GIBIBYTE: Final = 1 << 30
READY_SECONDS: Final = 240.0
"""For kernels, which are compiled once after an install, and for compiling a game."""
STEP_SECONDS: Final = 0.25
"""Of a search that can be told to end, and of which is told how it goes."""
Progress = Callable[[float, str], Awaitable[None]]
R = TypeVar("R")


class _Searcher:
    def __init__(self) -> None:
        bounds = SandboxBounds(READY_SECONDS + 2 * MAX_SECONDS, 4 * GIBIBYTE, 36_000)
        self.sandbox = Sandbox(bounds, module=MODULE)
        self.rules: KnownRules | None = None
        self.used = time.monotonic()
        self.is_busy = False


class Searches:
    """The processes, started when they are wanted and ended when they are not for a while."""

    def __init__(self, bounds: ServerBounds) -> None:
        self._bounds = bounds
        self._searchers: list[_Searcher] = []
        self._places = asyncio.Semaphore(bounds.num_searches)
        self._num_waiting = 0
        self._jobs: set[asyncio.Task[Any]] = set()

    async def ask(self, rules: KnownRules, ask: Callable[[Sandbox], Coroutine[Any, Any, R]]) -> R:
        """The answer of a process; it is ended if whoever asks is cancelled."""
        async with self._place(rules) as sandbox:
            return await ask(sandbox)

    async def in_steps(
        self,
        rules: KnownRules,
        begin: Callable[[Sandbox], Awaitable[None]],
        step: Callable[[Sandbox, float], Awaitable[dict[str, Any]]],
        seconds: float,
        progress: Progress,
    ) -> dict[str, Any]:
        """The findings of a search after some seconds, a step after another.

        Whoever is cancelled ends it after the step that runs, and the process stays.
        """
        reports: asyncio.Queue[tuple[float, str]] = asyncio.Queue()
        is_ended = asyncio.Event()
        job = asyncio.create_task(
            self._search(rules, (begin, step), seconds, is_ended, reports.put_nowait)
        )
        self._jobs.add(job)
        job.add_done_callback(self._forget_job)
        try:
            while not job.done():
                news = asyncio.ensure_future(reports.get())
                try:
                    await asyncio.wait([job, news], return_when=asyncio.FIRST_COMPLETED)
                finally:
                    news.cancel()
                if not news.cancelled() and news.done():
                    await progress(*news.result())
            return job.result()
        finally:
            is_ended.set()

    async def _search(
        self,
        rules: KnownRules,
        asked: tuple[
            Callable[[Sandbox], Awaitable[None]],
            Callable[[Sandbox, float], Awaitable[dict[str, Any]]],
        ],
        seconds: float,
        is_ended: asyncio.Event,
        tell: Callable[[tuple[float, str]], None],
    ) -> dict[str, Any]:
        begin, step = asked
        async with self._place(rules) as sandbox:
            tell((0.0, "the game is compiled"))
            await begin(sandbox)
            found: dict[str, Any] = {}
            done = 0.0
            while done < seconds and not is_ended.is_set():
                share = min(STEP_SECONDS, seconds - done)
                found = await step(sandbox, share)
                done += share
                if found.get("solved"):
                    break
                tell((done, f"value {found.get('value')}, {found.get('iterations', 0):,} rounds"))
            return found

    @asynccontextmanager
    async def _place(self, rules: KnownRules) -> AsyncIterator[Sandbox]:
        if self._num_waiting >= self._bounds.max_waiting:
            raise RefusalError(
                Code.BUSY,
                f"{self._num_waiting} searches wait already",
                "Call the same tool again in a few seconds, or ask for fewer of them.",
            )
        self._num_waiting += 1
        try:
            await self._places.acquire()
        finally:
            self._num_waiting -= 1
        try:
            searcher = await self._searcher(rules)
            searcher.is_busy = True
            try:
                yield searcher.sandbox
            finally:
                searcher.is_busy, searcher.used = False, time.monotonic()
        finally:
            self._places.release()

    async def _searcher(self, rules: KnownRules) -> _Searcher:
        idle = [one for one in self._searchers if not one.is_busy]
        found = next((one for one in idle if one.rules is rules), None)
        if found is None and len(self._searchers) < self._bounds.num_searches:
            self._searchers.append(found := _Searcher())
        found = found or min(idle, key=lambda one: one.used)
        found.rules = rules
        return found

    def _forget_job(self, job: asyncio.Task[Any]) -> None:
        self._jobs.discard(job)
        if not job.cancelled():
            job.exception()  # who asked may be gone

    async def rest(self) -> None:
        """End the processes that nobody has asked for a while."""
        late = time.monotonic() - self._bounds.search_idle_seconds
        for one in [one for one in self._searchers if not one.is_busy and one.used < late]:
            self._searchers.remove(one)
            await one.sandbox.close()

    async def close(self) -> None:
        """End all."""
        await cancel(*self._jobs)
        while self._searchers:
            await self._searchers.pop().sandbox.close()
