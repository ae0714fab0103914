"""The part of this machine that this process has: its cores, and the memory that it takes."""

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
"""In the environment of a process whose numpy is to compute on one thread."""

GIVE_BACK_SECONDS: Final = 30.0
_STATM: Final = Path("/proc/self/statm")


def num_cores() -> int:
    """The number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def used_bytes() -> int:
    """The address space taken; 0 where the system does not say."""
    try:
        return int(_STATM.read_text().split()[0]) * resource.getpagesize()
    except OSError:
        return 0


async def give_back_memory() -> None:
    """Give the system every so often what is free within the heap, for ever; glibc can.

    A heap in which short lives and long ones mix takes more and more pages, a kilobyte a match,
    while what is in use stays as it is. It takes less than 1 ms.
    """
    while True:
        await asyncio.sleep(GIVE_BACK_SECONDS)
        give_back_now()


def give_back_now() -> None:
    """Give the system what is free within the heap."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).malloc_trim(0)
