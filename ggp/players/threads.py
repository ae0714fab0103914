"""The option `threads`: how many cores a search may use."""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Final

from ggp.players.options import Option, OptionKind

MOST_THREADS: Final = 64
AUTO: Final = "auto"

_QUOTA: Final = Path("/sys/fs/cgroup/cpu.max")


def _parse(text: str) -> int:
    num = usable_cores() if text == AUTO else int(text)
    if not 1 <= num <= MOST_THREADS:
        raise ValueError(text)
    return num


def usable_cores(quota: Path = _QUOTA) -> int:
    """Cores that this process may use, at most `MOST_THREADS`.

    A container that may use the time of two cores sees all those of its host; threads beyond its
    share would not only bring nothing, but stop all of them until the next period.
    """
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    try:
        time, period = quota.read_text().split()
        share = math.floor(int(time) / int(period))
    except (OSError, ValueError):  # no such file, or "max": no bound
        share = MOST_THREADS
    return max(1, min(cores or 1, share, MOST_THREADS))


THREADS = Option(
    "threads",
    OptionKind(f"a whole number from 1 to {MOST_THREADS}, or {AUTO}", _parse),
    1,
    "trees that grow side by side, each in a thread of its own and with its part of the memory; "
    "auto: as many as there are cores, for a server that plays one match at a time",
)
