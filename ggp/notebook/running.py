"""Running coroutines from a cell, where a loop runs already, and from scripts alike."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, ThreadPoolExecutor, wait
from typing import Any, Final, TypeVar

T = TypeVar("T")
PERIOD: Final = 0.1
"""Seconds between two looks at how far it is."""


def run(work: Coroutine[Any, Any, T], meanwhile: Callable[[], None] = lambda: None) -> T:
    """The result of a coroutine, run in a thread with a loop of its own.

    Args:
        work: The coroutine. It is cancelled and waited for if the caller is interrupted.
        meanwhile: Called now and then, in the thread of the caller.
    """
    begun: Future[tuple[asyncio.AbstractEventLoop, asyncio.Task[Any]]] = Future()

    async def begin() -> T:
        task = asyncio.current_task()
        assert task is not None
        begun.set_result((asyncio.get_running_loop(), task))
        return await work

    with ThreadPoolExecutor(1, "notebook") as pool:
        done = pool.submit(asyncio.run, begin())
        try:
            while not wait([done], PERIOD).done:
                meanwhile()
        except BaseException:
            loop, task = begun.result()
            with contextlib.suppress(RuntimeError):  # it has just ended by itself
                loop.call_soon_threadsafe(task.cancel)
            raise
        return done.result()
