"""Admission of matches: whether the machine has room for another match, and which starts next.

Reading and compiling rules takes all of the CPU. So only a few matches begin at a time, and none
begins if the machine cannot keep up with the running ones.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

from ggp.processes.lag import Lag

MEGABYTE: Final = 1_000_000
MEMORY_A_MATCH: Final = 400 * MEGABYTE
"""Minimum memory for a match, including the processes that play it."""
LAG_SECONDS: Final = 1.0
"""A server whose event loop lags by this much cannot take another match."""
QUEUE_A_CORE: Final = 4
"""Number of matches per core that may wait to begin."""
TURN_SECONDS: Final = 1.0
"""Length of a match's turn to begin. By then its rules have usually been read."""
WAITING_SECONDS: Final = 5.0
"""A match that has waited this long begins without a turn."""
WAITING_SHARE: Final = 0.25
"""A match that has waited for this share of its startclock begins without a turn."""

MEMINFO: Final = Path("/proc/meminfo")
CGROUP: Final = Path("/sys/fs/cgroup")


class Admission:
    """A queue that lets only a few matches begin at a time. It refuses more if there is no room.

    Attributes:
        lag: Measures how late scheduled work runs in this process.
        num_waiting: Number of matches that wait to begin.
    """

    def __init__(self, lag: Lag) -> None:
        self.lag = lag
        self._num_cores = os.cpu_count() or 1
        self._turns = asyncio.Semaphore(max(1, self._num_cores // 2))
        self.num_waiting = 0

    def refusal(self, num_matches: int) -> str:
        """Return why the machine has no room for another match, or "" if it has room."""
        if self.num_waiting >= QUEUE_A_CORE * self._num_cores:
            return f"{self.num_waiting} matches are about to begin"
        if num_matches == 0:  # one match must always be possible
            return ""
        if (lag := self.lag.seconds()) > LAG_SECONDS:
            return f"the machine is overloaded: answers are {lag:.1f} s late"
        if (free := free_memory()) is not None and free < MEMORY_A_MATCH:
            return f"{free // MEGABYTE} MB of memory are left"
        return ""

    @contextlib.asynccontextmanager
    async def turn(self, startclock: float) -> AsyncIterator[None]:
        """Return a context that a match enters to begin. It first waits for the match's turn.

        After a limited time, the match begins without a turn. The turn ends with the context, or
        earlier, after `TURN_SECONDS`.
        """
        with contextlib.ExitStack() as held:
            self.num_waiting += 1
            try:
                async with asyncio.timeout(min(WAITING_SECONDS, WAITING_SHARE * startclock)):
                    await self._turns.acquire()
                held.callback(self._turns.release)
                asyncio.get_running_loop().call_later(TURN_SECONDS, held.close)
            except TimeoutError:
                pass
            finally:
                self.num_waiting -= 1
            yield


def free_memory() -> int | None:
    """Return the free memory of this machine or our container in bytes, or None if unknown."""
    known = [each for each in (_of_machine(), _of_container()) if each is not None]
    return min(known, default=None)


def _of_machine() -> int | None:
    with contextlib.suppress(OSError, ValueError, IndexError):
        for line in MEMINFO.read_text(encoding="ascii").splitlines():
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    return None


def _of_container() -> int | None:
    with contextlib.suppress(OSError, ValueError, IndexError):
        most = int((CGROUP / "memory.max").read_text(encoding="ascii"))
        used = int((CGROUP / "memory.current").read_text(encoding="ascii"))
        kept = (CGROUP / "memory.stat").read_text(encoding="ascii").splitlines()
        # If memory is needed, the Linux kernel drops cached pages of files.
        spare = sum(int(line.split()[1]) for line in kept if line.startswith("inactive_file "))
        return max(0, most - used + spare)
    return None
