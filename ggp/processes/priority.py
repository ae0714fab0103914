"""The priority of a process: what computes gives way to what answers.

Linux shares out a core by processes, or, where autogroups are on, first by sessions and then by the
processes of each; the priority of a session is a number of its own.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

ANSWERING: Final = -5
"""Of what answers on a clock, where that is allowed: three times the weight of who asks."""
USUAL: Final = 0
"""Of what says which moves are legal: before a search, but after what answers, for its rules may
be made to take long."""
COMPUTING: Final = 5
"""Of what searches and compiles: a third of the weight of a process that answers."""
BACKGROUND: Final = 15
"""Of what can wait, such as learning: a ninth of the weight of a search."""


def come_first() -> None:
    """Come before others from now on, as far as the system lets us: root and CAP_SYS_NICE may."""
    set_priority(os.getpid(), ANSWERING)


def give_way(niceness: int) -> None:
    """Let others come first from now on, whatever session they are in."""
    set_niceness(0, niceness)
    with suppress(OSError):
        _set_session(os.getpid(), niceness)


def set_priority(pid: int, niceness: int) -> None:
    """Set the niceness of a process, and of its session, as far as the system lets us."""
    with suppress(OSError):  # it is gone, or we may not
        os.setpriority(os.PRIO_PROCESS, pid, niceness)
        _set_session(pid, niceness)


def set_niceness(pid: int, niceness: int) -> None:
    """Set the niceness of a process, 0: of this one, unless it has more already."""
    with suppress(OSError):  # it is gone
        if os.getpriority(os.PRIO_PROCESS, pid) < niceness:
            os.setpriority(os.PRIO_PROCESS, pid, niceness)


def _set_session(pid: int, niceness: int) -> None:
    """Set the niceness of a session, if the process is its first: not of a user's terminal.

    Raises:
        OSError: There are no autogroups, or not for us.
    """
    if os.getsid(pid) == pid:
        Path(f"/proc/{pid}/autogroup").write_text(str(niceness), encoding="ascii")
