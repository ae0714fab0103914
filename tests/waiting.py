"""Waiting in tests: for the end of a process, and for what no event tells."""

from __future__ import annotations

import asyncio
import os
import select
import time
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

PATIENCE: Final = 300.0
"""Seconds after which a test gives up, on a busy machine."""
STEP: Final = 0.02

Seen = TypeVar("Seen")


def wait_for_end(pid: int, seconds: float = PATIENCE) -> None:
    """Wait until a process has ended, whoever started it."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        has_ended, _, _ = select.select([descriptor], [], [], seconds)
        assert has_ended, f"process {pid} goes on after {seconds:g} s"
    finally:
        os.close(descriptor)


async def ended(pid: int, seconds: float = PATIENCE) -> None:
    """Wait until a process has ended, whoever started it."""
    await asyncio.to_thread(wait_for_end, pid, seconds)


def wait_until(is_so: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """Look again and again until something is so; for states of processes that nothing tells."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end, f"not so after {seconds:g} s"
        time.sleep(STEP)


async def until(is_so: Callable[[], bool], seconds: float = PATIENCE) -> None:
    """As `wait_until`."""
    await asyncio.to_thread(wait_until, is_so, seconds)


async def found_in_time(
    look: Callable[[], Awaitable[Seen]], is_it: Callable[[Seen], bool], seconds: float = PATIENCE
) -> Seen:
    """Look again and again until `is_it` holds of what `look` sees; return that."""
    async with asyncio.timeout(seconds):
        while not is_it(seen := await look()):
            await asyncio.sleep(STEP)
    return seen
