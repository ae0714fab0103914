"""End asyncio tasks, and notice the signals that should end this process."""

from __future__ import annotations

import asyncio
import signal
from typing import Any, TypeVar

T = TypeVar("T")


async def cancel(*tasks: asyncio.Future[Any] | None) -> None:
    """Cancel tasks, and wait until all have ended. Ignore their exceptions, and None for a task."""
    some = [task for task in tasks if task is not None]
    for task in some:
        task.cancel()
    await asyncio.gather(*some, return_exceptions=True)


async def outlived(task: asyncio.Future[T]) -> T:
    """Return the result of a task. The task continues even if the waiting caller is cancelled.

    If the task fails later, its exception is dropped and not logged.
    """
    task.add_done_callback(_retrieve)
    return await asyncio.shield(task)


def _retrieve(task: asyncio.Future[Any]) -> None:
    if not task.cancelled():
        task.exception()


def termination_event() -> asyncio.Event:
    """Return an event that SIGINT and SIGTERM set. These signals no longer end the process."""
    is_terminating = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, is_terminating.set)
    return is_terminating
