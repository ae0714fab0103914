"""The priority of processes: computing processes give way to those that answer messages.

Linux divides a core among processes. With autogroups, it first divides the core among sessions, and
then among the processes of each session. The priority of a session is a separate number.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

ANSWERING: Final = -5
"""Niceness of processes that answer in limited time, if allowed: three times the usual weight."""
USUAL: Final = 0
"""Niceness of processes that find the legal moves. They come before a search, but after processes
that answer, because rules can be written so that they take long.
"""
COMPUTING: Final = 5
"""Niceness of processes that search and compile: a third of the weight of one that answers."""
BACKGROUND: Final = 15
"""Niceness of work that can wait, such as learning: a ninth of the weight of a search."""


def come_first() -> None:
    """Raise the priority of this process if it may do so, for example as root."""
    set_priority(os.getpid(), ANSWERING)


def give_way(niceness: int) -> None:
    """Lower the priority of this process, and of its session if it leads one."""
    set_niceness(0, niceness)
    with suppress(OSError):
        _set_session(os.getpid(), niceness)


def set_priority(pid: int, niceness: int) -> None:
    """Set the niceness of a process and its session, as far as the system allows that."""
    with suppress(OSError):  # the process is gone, or we may not change it
        os.setpriority(os.PRIO_PROCESS, pid, niceness)
        _set_session(pid, niceness)


def set_niceness(pid: int, niceness: int) -> None:
    """Raise the niceness of a process to `niceness`. `pid` 0 means this process."""
    with suppress(OSError):  # the process is gone
        if os.getpriority(os.PRIO_PROCESS, pid) < niceness:
            os.setpriority(os.PRIO_PROCESS, pid, niceness)


def _set_session(pid: int, niceness: int) -> None:
    """Set the niceness of the session that a process leads. Leave the session of a terminal alone.

    Raises:
        OSError: There are no autogroups, or we may not change them.
    """
    if os.getsid(pid) == pid:
        Path(f"/proc/{pid}/autogroup").write_text(str(niceness), encoding="ascii")
