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
COMPUTING: Final = 5
"""Of what searches and compiles: a third of the weight of a process that answers."""
BACKGROUND: Final = 15
"""Of what can wait, such as learning: a ninth of the weight of a search."""

_AUTOGROUP: Final = Path("/proc/self/autogroup")


def come_first() -> None:
    """Come before others from now on, as far as the system lets us: root and CAP_SYS_NICE may."""
    with suppress(OSError):  # PermissionError
        os.setpriority(os.PRIO_PROCESS, 0, ANSWERING)
        _set_session(ANSWERING)


def give_way(niceness: int) -> None:
    """Let others come first from now on, whatever session they are in."""
    set_niceness(0, niceness)
    _set_session(niceness)


def _set_session(niceness: int) -> None:
    """Set the niceness of this process' session, if it is its own: not of a user's terminal."""
    if os.getsid(0) == os.getpid():
        with suppress(OSError):  # there are no autogroups, or not for us
            _AUTOGROUP.write_text(str(niceness), encoding="ascii")


def set_niceness(pid: int, niceness: int) -> None:
    """Set the niceness of a process, 0: of this one, unless it has more already."""
    with suppress(OSError):  # it is gone
        if os.getpriority(os.PRIO_PROCESS, pid) < niceness:
            os.setpriority(os.PRIO_PROCESS, pid, niceness)
