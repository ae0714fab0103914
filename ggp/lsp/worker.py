"""Work on a text in a thread that can be interrupted, so that the server answers meanwhile.

While the thread works, the event loop still gets Python's global lock every few milliseconds.
"""

from __future__ import annotations

import asyncio
import ctypes
import threading
from collections import deque
from collections.abc import Callable
from typing import Any, Final, TypeVar

WORK_SECONDS: Final = 15.0
"""Time limit for one piece of work, counted from its start."""

R = TypeVar("R")


class Interrupted(BaseException):  # not caught by `except Exception`
    """The thread must stop its current work and continue with the next one."""


class _Job:
    def __init__(self, work: Callable[[], Any]) -> None:
        self.work = work
        self.loop = asyncio.get_running_loop()
        self.future: asyncio.Future[Any] = self.loop.create_future()
        self.timer: asyncio.TimerHandle | None = None

    def settle(self, value: object, error: BaseException | None) -> None:
        """Pass the result to the caller, if the caller still waits for it."""
        if self.timer is not None:
            self.timer.cancel()
        if self.future.done():
            return
        if error is None:
            self.future.set_result(value)
        elif isinstance(error, Interrupted):
            self.future.set_exception(TimeoutError())
        else:
            self.future.set_exception(error)


class Worker:
    """Runs functions in order, in a thread that exists only while there is work."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._waiting: deque[_Job] = deque()
        self._current: _Job | None = None
        self._thread: threading.Thread | None = None

    async def do(self, work: Callable[[], R]) -> R:
        """Run `work` in the thread and return its result.

        Raises:
            TimeoutError: The work took too long.
            asyncio.CancelledError: The work was cancelled by `drop`.
        """
        job = _Job(work)
        with self._lock:
            self._waiting.append(job)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, daemon=True)
                self._thread.start()
        found: R = await job.future
        return found

    def drop(self) -> None:
        """Interrupt the current work, and cancel all pending work."""
        with self._lock:
            dropped, current = list(self._waiting), self._current
            self._waiting.clear()
        for job in (*dropped, *([current] if current else [])):
            job.future.cancel()
        if current is not None:
            self._interrupt(current)

    def _interrupt(self, job: _Job) -> None:
        with self._lock:
            if self._current is job and self._thread is not None:
                _raise_in(self._thread, Interrupted)

    def _run(self) -> None:
        while True:
            with self._lock:
                if not self._waiting:
                    self._thread = None
                    return
                job = self._waiting.popleft()
            if not job.future.done():
                value, error = self._outcome(job)
                job.loop.call_soon_threadsafe(job.settle, value, error)

    def _outcome(self, job: _Job) -> tuple[object, BaseException | None]:
        try:
            job.loop.call_soon_threadsafe(self._begin_clock, job)
            with self._lock:
                self._current = job
            try:
                return job.work(), None
            finally:
                self._rest()
        # Pass any exception to the caller. An interruption may arrive as late as in `_rest`.
        except BaseException as error:  # noqa: BLE001
            self._rest()
            return None, error

    def _rest(self) -> None:
        """Mark the current work as done, so that no interruption reaches the work after it."""
        with self._lock:
            self._current = None
            _raise_in(threading.current_thread(), None)

    def _begin_clock(self, job: _Job) -> None:
        if not job.future.done():
            job.timer = job.loop.call_later(WORK_SECONDS, self._interrupt, job)


def _raise_in(thread: threading.Thread, kind: type[BaseException] | None) -> None:
    """Raise an exception in a thread at its next Python step. None cancels an earlier call."""
    number = ctypes.c_ulong(thread.ident or 0)
    wanted = ctypes.py_object(kind) if kind is not None else None
    ctypes.pythonapi.PyThreadState_SetAsyncExc(number, wanted)
