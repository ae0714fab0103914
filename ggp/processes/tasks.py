"""Tasks that nobody waits for any more, and the wish that all should end."""

from __future__ import annotations

import asyncio
import signal
from typing import Any


async def cancel(*tasks: asyncio.Future[Any] | None) -> None:
    """Cancel tasks, and wait until they have ended, however they do; None is none."""
    some = [task for task in tasks if task is not None]
    for task in some:
        task.cancel()
    await asyncio.gather(*some, return_exceptions=True)


def until_told() -> asyncio.Event:
    """What is set when SIGINT or SIGTERM comes, which end nothing by themselves from now on."""
    is_told = asyncio.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, is_told.set)
    return is_told
