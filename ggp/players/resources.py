"""The memory and the cores of this process, and how much of them a search may use.

The interpreter, the kernels and the game need memory, and how much is not known in advance. So the
search uses only a share of the memory that they leave.
"""

from __future__ import annotations

import math
import resource
from pathlib import Path
from typing import Final

from ggp.players.options import Option, OptionKind
from ggp.processes.machine import num_cores, used_bytes

SHARE: Final = 0.5
"""Share of the remaining memory that a search may hold. The rest is for states in Python, for the
stacks of threads, and for memory that the allocator wastes."""
MAX_THREADS: Final = 64
AUTO: Final = "auto"

_QUOTA: Final = Path("/sys/fs/cgroup/cpu.max")


def fitting(num: int, num_bytes: int = 1) -> int:
    """Return how many items of `num_bytes` each a search may hold: at most `num`, at least one."""
    left = room()
    return num if left is None else max(1, min(num, int(SHARE * left) // num_bytes))


def room() -> int | None:
    """Return how many bytes this process may still allocate, or None if unlimited or unknown."""
    limit, _ = resource.getrlimit(resource.RLIMIT_AS)
    if limit == resource.RLIM_INFINITY:
        return None
    used = used_bytes()
    return max(0, limit - used) if used else None


def usable_cores(quota: Path = _QUOTA) -> int:
    """Return how many cores this process may use, at most `MAX_THREADS`.

    A process in a container sees all cores of the host, even if the quota of the container allows
    the time of only two. More threads than that would use up the quota, and the Linux kernel would
    stop all threads until the next period.
    """
    try:
        time, period = quota.read_text().split()
        share = math.floor(int(time) / int(period))
    except (OSError, ValueError):  # there is no such file, or it says "max": no quota
        share = MAX_THREADS
    return max(1, min(num_cores(), share, MAX_THREADS))


def _parse(text: str) -> int:
    num = usable_cores() if text == AUTO else int(text)
    if not 1 <= num <= MAX_THREADS:
        raise ValueError(text)
    return num


THREADS = Option(
    "threads",
    OptionKind(f"a whole number from 1 to {MAX_THREADS}, or {AUTO}", _parse),
    1,
    "trees that grow in parallel, each in its own thread and with its share of the memory; auto: "
    "one for each core, for a server that plays one match at a time",
)
