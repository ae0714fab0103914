"""Ending tasks, and noticing the signals that ask a process to end."""

from __future__ import annotations

import asyncio
import signal
from typing import Any, TypeVar

T = TypeVar("T")


async def cancel(*tasks: asyncio.Future[Any] | None) -> None:
    """Cancel tasks, and wait until they have ended, however they do; None is none."""
    some = [task for task in tasks if task is not None]
    for task in some:
        task.cancel()
    await asyncio.gather(*some, return_exceptions=True)


async def outlived(task: asyncio.Future[T]) -> T:
    """The result of a task that goes on where who waits for it is cancelled.

    What goes wrong in it then is nobody's, and nothing to be logged.
    """
    task.add_done_callback(_retrieve)
    return await asyncio.shield(task)


def _retrieve(task: asyncio.Future[Any]) -> None:
    if not task.cancelled():
        task.exception()


def termination_event() -> asyncio.Event:
    """An event that SIGINT and SIGTERM set; they end nothing by themselves from now on."""
    is_terminating = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, is_terminating.set)
    return is_terminating
