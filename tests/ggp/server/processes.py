"""`ggp serve` as a process of its own, and what it weighs."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.shared import REPOSITORY

SECONDS = 30


@contextmanager
def ggp_serve(*arguments: str) -> Iterator[tuple[str, int]]:
    """A server on a free port; gives its address and its process id."""
    command = [sys.executable, "-m", "ggp", "serve", "--port", "0", *arguments]
    with subprocess.Popen(
        command, cwd=REPOSITORY, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        try:
            process.stdout.readline()
            yield process.stdout.readline().strip(), process.pid
        finally:
            process.terminate()
            process.wait(SECONDS)


def children(pid: int) -> list[int]:
    """The processes that a process has started, as far as they are alive."""
    found = []
    for status in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError):  # it may have ended just now
            parent = status.read_text(encoding="utf-8").rpartition(")")[2].split()[1]
            found += [int(status.parent.name)] if parent == str(pid) else []
    return found


def memory_bytes(pid: int) -> int:
    """The memory that a process holds; 0 if there is no such process."""
    with contextlib.suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text(encoding="utf-8").splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) * 1024
    return 0
