"""Measure a program and all processes that it has started: memory, open files and their number."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
from pathlib import Path

from processes import Running

from attacking.report import Report

SAMPLE_SECONDS = 0.25
KILOBYTES = 1024  # of a megabyte
PROC = Path("/proc")
CLOSE_WAIT = "08"


def family(pid: int) -> list[int]:
    """Return a process and all its descendants."""
    children: dict[int, list[int]] = {}
    for entry in PROC.iterdir():
        if entry.name.isdigit() and (parent := _parent(entry)) is not None:
            children.setdefault(parent, []).append(int(entry.name))
    found = [pid] if is_alive(pid) else []
    for one in found:
        found += children.get(one, [])
    return found


def _parent(entry: Path) -> int | None:
    with contextlib.suppress(OSError):
        fields = (entry / "stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return None if fields[0] == "Z" else int(fields[1])
    return None


def is_alive(pid: int) -> bool:
    """Return whether there is such a process that is not a zombie."""
    return _parent(PROC / str(pid)) is not None


def megabytes(pids: list[int]) -> float:
    """Return the memory of processes; memory that several share, as after a fork, counts once."""
    total = 0.0
    for pid in pids:
        with contextlib.suppress(OSError):
            text = (PROC / str(pid) / "smaps_rollup").read_text(encoding="ascii")
            total += int(text.partition("\nPss:")[2].split()[0]) / KILOBYTES
    return total


def cpu_seconds(pid: int) -> float:
    """Return the CPU seconds of a process."""
    with contextlib.suppress(OSError, IndexError):
        return Running("", pid).cpu_seconds()
    return 0.0


def num_files(pid: int) -> int:
    """Return the number of open descriptors of a process."""
    with contextlib.suppress(OSError):
        return sum(1 for _ in (PROC / str(pid) / "fd").iterdir())
    return 0


def num_abandoned(port: int) -> int:
    """Return the connections to a local port that only the other side has closed."""
    local = f":{port:04X}"
    rows = (PROC / "net" / "tcp").read_text(encoding="ascii").splitlines()[1:]
    fields = (row.split() for row in rows)
    return sum(one[1].endswith(local) and one[3] == CLOSE_WAIT for one in fields)


def kill_all(pids: list[int]) -> None:
    """Kill processes that should have ended by themselves."""
    for pid in pids:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


class Weigher:
    """Measures a program now and then, and keeps the maxima in a report.

    Attributes:
        seen: All processes that ever belonged to it.
    """

    def __init__(self, pid: int, report: Report) -> None:
        self.seen: set[int] = set()
        self._pid = pid
        self._report = report
        report.megabytes = report.most_megabytes = megabytes(family(pid))

    def look(self) -> None:
        """Measure once."""
        pids, report = family(self._pid), self._report
        self.seen.update(pids)
        report.most_megabytes = max(report.most_megabytes, megabytes(pids))
        report.most_files = max(report.most_files, num_files(self._pid))
        report.most_processes = max(report.most_processes, len(pids))

    async def watch(self) -> None:
        """Measure again and again."""
        while True:
            self.look()
            await asyncio.sleep(SAMPLE_SECONDS)
