"""The priority of a process: what computes gives way to what answers.

Linux shares out a core by processes, or, where autogroups are on, first by sessions and then by the
processes of each; the priority of a session is a number of its own.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

COMPUTING: Final = 5
"""Of what searches and compiles: a third of the weight of a process that answers."""
BACKGROUND: Final = 15
"""Of what can wait, such as learning: a ninth of the weight of a search."""

_AUTOGROUP: Final = Path("/proc/self/autogroup")


def give_way(niceness: int) -> None:
    """Let others come first from now on, whatever session they are in; for a session of its own."""
    set_niceness(0, niceness)
    with suppress(OSError):  # there are no autogroups, or not for us
        _AUTOGROUP.write_text(str(niceness), encoding="ascii")


def set_niceness(pid: int, niceness: int) -> None:
    """Set the niceness of a process, 0: of this one, unless it has more already."""
    with suppress(OSError):  # it is gone
        if os.getpriority(os.PRIO_PROCESS, pid) < niceness:
            os.setpriority(os.PRIO_PROCESS, pid, niceness)
