"""This process's share of the machine: its cores and its memory."""

from __future__ import annotations

import asyncio
import ctypes
import os
import resource
from contextlib import suppress
from pathlib import Path
from typing import Final

ONE_THREAD: Final = dict.fromkeys(
    ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1"
)
"""Environment variables for a process in which numpy has to compute on one thread."""

GIVE_BACK_SECONDS: Final = 30.0
_STATM: Final = Path("/proc/self/statm")


def num_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def used_bytes() -> int:
    """Return the size of the address space, or 0 if the system does not report it."""
    try:
        return int(_STATM.read_text().split()[0]) * resource.getpagesize()
    except OSError:
        return 0


async def give_back_memory() -> None:
    """Return free heap memory to the system at intervals, until cancelled. Needs glibc.

    A heap with both short-lived and long-lived objects takes more and more pages, a kilobyte per
    match, although memory use stays the same. A call takes less than 1 ms.
    """
    while True:
        await asyncio.sleep(GIVE_BACK_SECONDS)
        give_back_now()


def give_back_now() -> None:
    """Return free heap memory to the system."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
