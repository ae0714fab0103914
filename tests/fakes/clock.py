"""A clock that jumps: a test of a timeout of 30 s takes a millisecond.

The event loop of a test with the fixture `fake_clock` has a time of its own, and `ggp.clock.now`
is that time. It stands still while anything in this process has something to do. When all tasks
wait, it jumps to the next timer. So nothing takes any time but what sleeps, and a test knows to the
second when things happen.

All that takes part must live in this process: fake seats, `tests.fakes.engine_processes`, servers
and clients on loopback. A real process would be late for everything.
"""

from __future__ import annotations

import asyncio
import selectors
import time
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest

from ggp import clock
from ggp.listener import unread

SETTLING_SECONDS = 0.002
"""Real time for which sockets must be silent before the clock jumps: data may be on its way."""


class FakeClock:
    """The time of one event loop, in seconds."""

    def __init__(self, loop: asyncio.SelectorEventLoop) -> None:
        """Take over the time of `loop`, which goes on from the present."""
        self._now = time.monotonic()
        self.began = self._now
        self.num_jobs = 0  # of threads: the loop waits for them without a timer
        untyped: Any = loop
        untyped.time = self.now
        untyped._selector = _JumpingSelector(untyped._selector, self, num_own=1)
        self._run_in_executor = loop.run_in_executor
        untyped.run_in_executor = self._count_job

    def now(self) -> float:
        """Return the present moment."""
        return self._now

    @property
    def elapsed(self) -> float:
        """Seconds since the test began."""
        return self._now - self.began

    def advance(self, seconds: float) -> None:
        """Let time pass while nothing else happens, as if this process were held up."""
        self._now += seconds

    def _count_job(
        self, executor: Any, function: Callable[..., Any], *arguments: Any
    ) -> asyncio.Future[Any]:
        job = self._run_in_executor(executor, function, *arguments)
        self.num_jobs += 1
        job.add_done_callback(self._end_job)
        return job

    def _end_job(self, _: asyncio.Future[Any]) -> None:
        self.num_jobs -= 1


class _JumpingSelector:
    """A selector that never waits for a timer: it lets the clock jump there."""

    def __init__(self, real: selectors.BaseSelector, clock: FakeClock, num_own: int) -> None:
        self._real = real
        self._clock = clock
        self._num_own = num_own  # descriptors of the loop itself

    def __getattr__(self, name: str) -> Any:
        return getattr(self._real, name)

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Return what is ready; if nothing is, and nothing will be, let `timeout` pass at once."""
        if ready := self._real.select(0):
            return ready
        if timeout is not None and timeout <= 0:
            return []
        if timeout is None or self._clock.num_jobs:
            return self._real.select(None)
        has_sockets = len(self._real.get_map()) > self._num_own
        if has_sockets and (ready := self._real.select(SETTLING_SECONDS)):
            return ready
        self._clock.advance(timeout)
        return []


@pytest.fixture
async def fake_clock(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[FakeClock]:
    """Let the time of this test jump, for the loop and for `ggp.clock`."""
    loop = asyncio.get_running_loop()
    assert isinstance(loop, asyncio.SelectorEventLoop)
    real: Any = loop
    selector = real._selector
    fake = FakeClock(loop)
    monkeypatch.setattr(clock, "now", fake.now)
    # How long bytes have waited is real time, in which this clock stands still.
    monkeypatch.setattr(unread, "MAX_SECONDS", 0.0)
    yield fake
    real._selector = selector
    del real.time, real.run_in_executor
