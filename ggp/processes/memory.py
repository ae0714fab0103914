"""Memory use of a program, by kind of process. On systems other than Linux it is always 0."""

from __future__ import annotations

import os
import resource
from collections import defaultdict
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

MAIN: Final = "main"
OTHER: Final = "other"
KINDS: Final = {
    "ggp.engine.worker": "engine",
    "ggp.sandbox": "sandbox",
    "ggp.submission": "submission",
    "ggp.report": "report",
}
"""Kinds of processes by the module they run. Forked processes count as the same kind."""
_PROC: Final = Path("/proc")


@dataclass(slots=True)
class Usage:
    """The memory of all processes of one kind."""

    num_processes: int = 0
    num_bytes: int = 0
    """Number of bytes. A page that several processes share is divided among them."""


def usage_by_kind(root: int | None = None) -> dict[str, Usage]:
    """Return the memory of a process and its descendants, by kind. None means this process.

    This takes some milliseconds per process, which is too long for an event loop.
    """
    root = os.getpid() if root is None else root
    found = {kind: Usage() for kind in (MAIN, *KINDS.values(), OTHER)}
    for pid in _descendants(root):
        with suppress(OSError, ValueError):  # the process has just ended
            num_bytes = _bytes_of(pid)
            usage = found[MAIN if pid == root else _kind_of(pid)]
            usage.num_processes += 1
            usage.num_bytes += num_bytes
    return found


def _descendants(root: int) -> Iterator[int]:
    children = defaultdict(list)
    for stat in _PROC.glob("[0-9]*/stat"):
        with suppress(OSError, ValueError, IndexError):
            parent = stat.read_text(errors="replace").rpartition(")")[2].split()[1]
            children[int(parent)].append(int(stat.parent.name))
    left = [root]
    while left:
        pid = left.pop()
        yield pid
        left += children[pid]


def _kind_of(pid: int) -> str:
    words = (_PROC / str(pid) / "cmdline").read_bytes().split(b"\0")
    module = words[words.index(b"-m") + 1] if b"-m" in words[:-1] else b""
    return KINDS.get(module.decode(errors="replace"), OTHER)


def _bytes_of(pid: int) -> int:
    folder = _PROC / str(pid)
    with suppress(OSError, ValueError):  # the file does not exist, or we may not read it
        for line in (folder / "smaps_rollup").read_text().splitlines():
            if line.startswith("Pss:"):
                return int(line.split()[1]) * 1024
    return int((folder / "statm").read_text().split()[1]) * resource.getpagesize()
