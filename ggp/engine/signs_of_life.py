"""Signs that a process works or waits for the processor, as Linux reports them.

>>> signs = SignsOfLife(os.getpid())
>>> signs.look()  # whoever asks is running
>>> signs.quiet_looks
0

Elsewhere nothing is known, and every process counts as one that works.
"""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Final

BUSY_SHARE: Final = 0.05
"""The part of the time that a process works at least. One that wakes a hundred times a second, to
see whether it may go on, takes less."""
_BUSY_STATES: Final = frozenset("RD")  # runs or waits for the processor; waits for a disk
_TICK: Final = 1 / os.sysconf("SC_CLK_TCK")


class SignsOfLife:
    """Looks at a process now and then.

    Attributes:
        quiet_looks: How many times it has been found asleep, one after the other.
    """

    def __init__(self, pid: int) -> None:
        self._task = Path(f"/proc/{pid}/task")
        self._stat = Path(f"/proc/{pid}/stat")
        self.begin()

    def begin(self) -> None:
        """Forget what was seen until now."""
        self._since = time.monotonic()
        self._used = self._cpu_seconds()
        self.quiet_looks = 0

    @property
    def quiet_seconds(self) -> float:
        """The time for which it has not been seen at work."""
        return time.monotonic() - self._since

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
