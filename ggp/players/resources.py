"""The memory and the cores of this process, and how much of them a search may use.

The interpreter, the kernels and the game take a part of a bounded memory that nobody can know
before; what is left then is for the search and, as it grows, for all that surrounds it.
"""

from __future__ import annotations

import math
import resource
from pathlib import Path
from typing import Final

from ggp.players.options import Option, OptionKind
from ggp.processes.machine import num_cores, used_bytes

SHARE: Final = 0.5
"""Of the room that is left, for what a search holds; the rest is for the states that Python makes,
for the stacks of threads and for what the allocator cannot use."""
MOST_THREADS: Final = 64
AUTO: Final = "auto"

_QUOTA: Final = Path("/sys/fs/cgroup/cpu.max")


def fitting(num: int, num_bytes: int = 1) -> int:
    """As many things of so many bytes as were asked for, or as there is room for; at least one."""
    left = room()
    return num if left is None else max(1, min(num, int(SHARE * left) // num_bytes))


def room() -> int | None:
    """Bytes of address space that this process may still take; None if that is not bounded."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return None
    used = used_bytes()
    return max(0, limit - used) if used else None


def usable_cores(quota: Path = _QUOTA) -> int:
    """Cores that this process may use, at most `MOST_THREADS`.

    A container that may use the time of two cores sees all those of its host; threads beyond its
    share would not only bring nothing, but stop all of them until the next period.
    """
    try:
        time, period = quota.read_text().split()
        share = math.floor(int(time) / int(period))
    except (OSError, ValueError):  # no such file, or "max": no bound
        share = MOST_THREADS
    return max(1, min(num_cores(), share, MOST_THREADS))


def _parse(text: str) -> int:
    num = usable_cores() if text == AUTO else int(text)
    if not 1 <= num <= MOST_THREADS:
        raise ValueError(text)
    return num


THREADS = Option(
    "threads",
    OptionKind(f"a whole number from 1 to {MOST_THREADS}, or {AUTO}", _parse),
    1,
    "trees that grow side by side, each in a thread of its own and with its part of the memory; "
    "auto: as many as there are cores, for a server that plays one match at a time",
)
