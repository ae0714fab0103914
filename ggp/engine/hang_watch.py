"""The watch over a process that may hang: asleep while waited for, or busy beyond all measure.

One that is merely slow is let alone. It has the tree, and another one would be no faster: in the
meantime turns are answered with what is known.
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
"""Least number of looks that find a process asleep: if the whole machine stood still, one would."""
SLOWEST_FACTOR: Final = 3
"""A process may take this many times as long as the longest time that it has taken so far."""
NUM_TURNS: Final = 4
"""Turns that a process may be busy with something else."""
RULES_SECONDS: Final = 120.0
"""Longest work of a process on the rules; `gdl.Limits` ends one question in half of that."""


async def until_hanging(worker: WorkerProcess, config: EngineConfig, playclock: float) -> str:
    """Watch a process; return when it hangs, with what it does, in words."""
    signs = SignsOfLife(worker.pid)
    while True:
        await asyncio.sleep(config.patience_seconds / NUM_LOOKS)
        if worker.duty.since > clock.now():
            signs.begin()
            continue
        signs.look()
        fault = _silence(worker, signs, config) or _stubbornness(worker, config, playclock)
        if fault:
            return fault


def _silence(worker: WorkerProcess, signs: SignsOfLife, config: EngineConfig) -> str:
    """Say how a process sleeps that has something to do; empty if it may be awake."""
    late = clock.now() - worker.duty.since
    silent = min(signs.quiet_seconds, late)
    patience = max(config.patience_seconds, SLOWEST_FACTOR * worker.duty.slowest_seconds)
    if signs.quiet_looks < NUM_LOOKS or silent < patience:
        return ""
    if not worker.has_accepted:
        return f"it is stopped: it has not read its command, nor worked for {silent:.1f} s"
    return f"its player sleeps: it is {late:.1f} s late, and has not worked for {silent:.1f} s"


def _stubbornness(worker: WorkerProcess, config: EngineConfig, playclock: float) -> str:
    """Say how long a process has been busy that should have returned; empty if it may go on."""
    duty = worker.duty
    late = clock.now() - duty.since
    slowest = SLOWEST_FACTOR * duty.slowest_seconds
    limit = max(config.overrun_seconds, NUM_TURNS * playclock, slowest)
    if duty.is_at_rules:
        limit = max(limit, RULES_SECONDS)
    # One that is still loading may hold still for long, and another would have to load as well.
    if late < limit or not worker.is_warm:
        return ""
    what = "the rules take it" if duty.is_at_rules else "its player ignores the deadline for"
    return f"{what} {late:.1f} s"


BUSY_SHARE: Final = 0.05
"""The part of the time that a process works at least. One that wakes a hundred times a second, to
see whether it may go on, takes less."""
_BUSY_STATES: Final = frozenset("RD")  # runs or waits for the processor; waits for a disk
_TICK: Final = 1 / os.sysconf("SC_CLK_TCK")


class SignsOfLife:
    """Signs that a process works or waits for the processor, as Linux reports them.

    Elsewhere nothing is known, and every process counts as one that works.

    Attributes:
        quiet_looks: How many times it has been found asleep, one after the other.
    """

    def __init__(self, pid: int) -> None:
        self._task = Path(f"/proc/{pid}/task")
        self._stat = Path(f"/proc/{pid}/stat")
        self.begin()

    def begin(self) -> None:
        """Forget what was seen until now."""
        self._since = clock.now()
        self._used = self._cpu_seconds()
        self.quiet_looks = 0

    @property
    def quiet_seconds(self) -> float:
        """The time for which it has not been seen at work."""
        return clock.now() - self._since

    def look(self) -> None:
        """See what it does."""
        worked = self._cpu_seconds() - self._used
        if worked > BUSY_SHARE * self.quiet_seconds + _TICK or self._is_busy():
            self.begin()
        else:
            self.quiet_looks += 1

    def _cpu_seconds(self) -> float:
        """The time on processors, of all its threads; 0 if that is not known."""
        try:
            fields = _fields(self._stat)
        except OSError:
            return 0.0
        return (int(fields[11]) + int(fields[12])) * _TICK

    def _is_busy(self) -> bool:
        """Whether any thread runs, would run if there were a processor, or waits for a disk."""
        try:
            threads = list(self._task.iterdir())
            return any(_fields(thread / "stat")[0] in _BUSY_STATES for thread in threads)
        except OSError:  # a thread that has just ended; the process is gone; no Linux
            return True


def _fields(stat: Path) -> list[str]:
    """The fields of a `stat` file, from the state on; the name before it may hold anything."""
    return stat.read_text(errors="replace").rpartition(")")[2].split()
