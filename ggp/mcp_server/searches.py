"""A pool of processes that search for clients. Each process keeps its latest game compiled."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from ggp.mcp_server.bounds import MAX_SECONDS, ServerBounds
from ggp.mcp_server.known_rules import KnownRules
from ggp.mcp_server.refusals import Code, RefusalError
from ggp.processes.tasks import cancel
from ggp.sandbox import Sandbox, SandboxBounds

MODULE: Final = "ggp.mcp_server.search_process"
GIBIBYTE: Final = 1 << 30
READY_SECONDS: Final = 240.0
"""Time limit for compiling a game, and the kernels if they are not compiled yet."""
STEP_SECONDS: Final = 0.25
"""Length of one step of a search. Between steps, it can be stopped, and it reports its progress."""
TELL_SECONDS: Final = 0.5
"""Interval between two progress messages about a search."""
ClientProgress = Callable[[float, float | None, str], Awaitable[None]]
"""Called with the elapsed seconds, the total seconds if known, and the current activity."""


class SearchQuestion(NamedTuple):
    """A function call for the search process, with its time limit."""

    name: str
    args: tuple[Any, ...]
    seconds: float


@dataclass
class _Course:
    """Progress of a search.

    Attributes:
        message: The current activity.
        began: When the search itself began, by the monotonic clock. None while the search waits for
            a process or the process prepares.
        is_wanted: Whether the caller still waits for the result.
    """

    message: str = "waiting for a process that searches"
    began: float | None = None
    is_wanted: bool = True


class _Searcher:
    def __init__(self) -> None:
        bounds = SandboxBounds(READY_SECONDS + 2 * MAX_SECONDS, 4 * GIBIBYTE, 36_000)
        self.sandbox = Sandbox(bounds, module=MODULE)
        self.rules: KnownRules | None = None
        self.used = time.monotonic()
        self.is_busy = False


class Searches:
    """The search processes. They start on demand, and end after being idle for some time."""

    def __init__(self, bounds: ServerBounds) -> None:
        self._bounds = bounds
        self._searchers: list[_Searcher] = []
        self._places = asyncio.Semaphore(bounds.num_searches)
        self._num_waiting = 0
        self._jobs: set[asyncio.Task[Any]] = set()

    async def ask(
        self, rules: KnownRules, question: SearchQuestion, progress: ClientProgress
    ) -> Any:
        """Let a process answer a question, and return the answer.

        If the caller is cancelled, end the process.
        """
        course = _Course()
        job = self._start(self._answer(rules, question, course))
        try:
            return await _awaited(job, course, question.seconds, progress)
        finally:
            job.cancel()

    async def in_steps(
        self, rules: KnownRules, begin: SearchQuestion, step: str, progress: ClientProgress
    ) -> dict[str, Any]:
        """Start a search with `begin`, continue it by calls of `step`, and return its results.

        If the caller is cancelled, end the search after the current step, but keep the process.
        """
        course = _Course()
        job = self._start(self._search(rules, begin, step, course))
        try:
            found: dict[str, Any] = await _awaited(job, course, begin.seconds, progress)
            return found
        finally:
            course.is_wanted = False
            if course.began is None:
                job.cancel()

    def _start(self, work: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
        job = asyncio.create_task(work)
        self._jobs.add(job)
        job.add_done_callback(self._forget_job)
        return job

    async def _answer(self, rules: KnownRules, question: SearchQuestion, course: _Course) -> Any:
        async with self._place(rules, course) as sandbox:
            return await sandbox.ask_named(question.name, *question.args)

    async def _search(
        self, rules: KnownRules, begin: SearchQuestion, step: str, course: _Course
    ) -> dict[str, Any]:
        async with self._place(rules, course) as sandbox:
            await sandbox.ask_named(begin.name, *begin.args)
            found: dict[str, Any] = {}
            done = 0.0
            while done < begin.seconds and course.is_wanted:
                share = min(STEP_SECONDS, begin.seconds - done)
                found = await sandbox.ask_named(step, share)
                done += share
                if found.get("solved"):
                    break
                course.message = (
                    f"value {found['value']}, {found.get('iterations', 0):,} iterations"
                )
            return found

    @asynccontextmanager
    async def _place(self, rules: KnownRules, course: _Course) -> AsyncIterator[Sandbox]:
        if self._num_waiting >= self._bounds.max_waiting:
            raise RefusalError(
                Code.BUSY,
                f"{self._num_waiting} searches are waiting already",
                "Call the same tool again in a few seconds, or ask for fewer searches.",
            )
        self._num_waiting += 1
        try:
            await self._places.acquire()
        finally:
            self._num_waiting -= 1
        try:
            searcher = self._searcher(rules)
            searcher.is_busy = True
            try:
                if searcher.rules is not rules:
                    await _prepare(searcher.sandbox, rules, course)
                    searcher.rules = rules
                course.message, course.began = "searching", time.monotonic()
                yield searcher.sandbox
            except BaseException:
                searcher.rules = None  # the process may have ended
                raise
            finally:
                searcher.is_busy, searcher.used = False, time.monotonic()
        finally:
            self._places.release()

    def _searcher(self, rules: KnownRules) -> _Searcher:
        idle = [one for one in self._searchers if not one.is_busy]
        found = next((one for one in idle if one.rules is rules), None)
        if found is None and idle:  # a new process would take longer than compiling another game
            found = min(idle, key=lambda one: one.used)
        if found is None:
            self._searchers.append(found := _Searcher())
        return found

    def _forget_job(self, job: asyncio.Task[Any]) -> None:
        self._jobs.discard(job)
        if not job.cancelled():
            job.exception()  # mark the exception as retrieved, because the caller may be gone

    async def rest(self) -> None:
        """End the processes that have been idle for too long."""
        late = time.monotonic() - self._bounds.search_idle_seconds
        for one in [one for one in self._searchers if not one.is_busy and one.used < late]:
            self._searchers.remove(one)
            await one.sandbox.close()

    async def close(self) -> None:
        """End all processes."""
        # Jobs that were already cancelled are ending their processes. Do not disturb them.
        await cancel(*(job for job in self._jobs if not job.cancelling()))
        await asyncio.gather(*self._jobs, return_exceptions=True)
        while self._searchers:
            await self._searchers.pop().sandbox.close()


async def _prepare(sandbox: Sandbox, rules: KnownRules, course: _Course) -> None:
    course.message = "starting the process that searches"
    missing = await sandbox.ask_named("missing_kernels")
    course.message = missing or "compiling the game"
    await sandbox.ask_named("open_rules", rules.text, rules.name)


async def _awaited(
    job: asyncio.Task[Any], course: _Course, seconds: float, progress: ClientProgress
) -> Any:
    """Return the result of a job. Report progress until the job is done."""
    asked = time.monotonic()
    while not job.done():
        await asyncio.wait([job], timeout=TELL_SECONDS)
        total = None if course.began is None else course.began - asked + seconds
        await progress(time.monotonic() - asked, total, course.message)
    return job.result()
