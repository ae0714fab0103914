"""Detecting a process that hangs: asleep while it should answer, or busy for far too long.

A process that is only slow is not replaced. It has the tree, and a new process would not be faster.
Meanwhile the engine answers each turn with the best move it knows.
"""

from __future__ import annotations

import asyncio
import os
from pathlib import Path
from typing import Final

from ggp import clock
from ggp.engine.config import EngineConfig
from ggp.engine.process import WorkerProcess

NUM_LOOKS: Final = 10
"""A process hangs only if at least this many checks in a row find it asleep. If the whole machine
was paused, only one check does.
"""
SLOWEST_FACTOR: Final = 3
"""A process may take up to this many times its longest delay so far."""
NUM_TURNS: Final = 4
"""A process that should answer may be busy with something else for this many turns."""
RULES_SECONDS: Final = 120.0
"""Longest time that a process may work on the rules. `gdl.Limits` ends a query after half of it."""


async def until_hanging(worker: WorkerProcess, config: EngineConfig, playclock: float) -> str:
    """Wait until a process hangs. Return a description of what it is doing instead of its work."""
    signs = SignsOfLife(worker.pid)
    while True:
        await asyncio.sleep(config.patience_seconds / NUM_LOOKS)
        if worker.pending_work.since > clock.now():
            signs.begin()
            continue
        signs.look()
        fault = _silence(worker, signs, config) or _stubbornness(worker, config, playclock)
        if fault:
            return fault


def _silence(worker: WorkerProcess, signs: SignsOfLife, config: EngineConfig) -> str:
    """Describe for how long a process has slept instead of working.

    Return "" if it may be awake, or has not slept for too long.
    """
    late = clock.now() - worker.pending_work.since
    silent = min(signs.quiet_seconds, late)
    patience = max(config.patience_seconds, SLOWEST_FACTOR * worker.pending_work.slowest_seconds)
    if signs.quiet_looks < NUM_LOOKS or silent < patience:
        return ""
    if not worker.has_accepted:
        return f"it is stopped: it has not read its command and has not worked for {silent:.1f} s"
    return f"its player sleeps: it is {late:.1f} s late, and has not worked for {silent:.1f} s"


def _stubbornness(worker: WorkerProcess, config: EngineConfig, playclock: float) -> str:
    """Describe for how long a process has been busy beyond its deadline.

    Return "" if that is not too long.
    """
    pending_work = worker.pending_work
    late = clock.now() - pending_work.since
    slowest = SLOWEST_FACTOR * pending_work.slowest_seconds
    limit = max(config.overrun_seconds, NUM_TURNS * playclock, slowest)
    if pending_work.is_at_rules:
        limit = max(limit, RULES_SECONDS)
    # A process that is still loading may pause for long, and a new one would have to load too.
    if late < limit or not worker.is_warm:
        return ""
    what = (
        "it has worked on the rules for"
        if pending_work.is_at_rules
        else "its player ignores the deadline for"
    )
    return f"{what} {late:.1f} s"


BUSY_SHARE: Final = 0.05
"""Minimum share of the time for which a working process uses the processor. A process that only
wakes a hundred times a second to check whether it may continue uses less.
"""
_BUSY_STATES: Final = frozenset("RD")  # running or runnable; waiting for a disk
_TICK: Final = 1 / os.sysconf("SC_CLK_TCK")


class SignsOfLife:
    """Observations of whether a process is running or waiting for a processor, as Linux reports.

    Other systems do not report this, so there every process counts as working.

    Attributes:
        quiet_looks: How many times in a row the process was found asleep.
    """

    def __init__(self, pid: int) -> None:
        self._task = Path(f"/proc/{pid}/task")
        self._stat = Path(f"/proc/{pid}/stat")
        self.begin()

    def begin(self) -> None:
        """Forget all earlier observations."""
        self._since = clock.now()
        self._used = self._cpu_seconds()
        self.quiet_looks = 0

    @property
    def quiet_seconds(self) -> float:
        """Seconds since the process was last seen working."""
        return clock.now() - self._since

    def look(self) -> None:
        """Observe the process once."""
        worked = self._cpu_seconds() - self._used
        if worked > BUSY_SHARE * self.quiet_seconds + _TICK or self._is_busy():
            self.begin()
        else:
            self.quiet_looks += 1

    def _cpu_seconds(self) -> float:
        """Return the processor time of all threads, or 0 if unknown."""
        try:
            fields = _fields(self._stat)
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) * _TICK

    def _is_busy(self) -> bool:
        """Return whether any thread runs, waits for a processor or waits for a disk."""
        try:
            threads = list(self._task.iterdir())
            return any(_fields(thread / "stat")[0] in _BUSY_STATES for thread in threads)
        except OSError:  # a thread has just ended, the process is gone, or this is not Linux
            return True


def _fields(stat: Path) -> list[str]:
    """Return the fields of a `stat` file in /proc. The first one is the state of the process.

    The fields before it are left out. One of them is the name, which may contain even blanks.
    """
    return stat.read_text(errors="replace").rpartition(")")[2].split()
