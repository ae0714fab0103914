"""Ending this process when its parent dies."""

from __future__ import annotations

import ctypes
import signal
import sys
from typing import Final

_SET_DEATH_SIGNAL: Final = 1  # of prctl(2)


def end_with_parent() -> None:
    """Let the Linux kernel kill this process when its parent dies. No effect on other systems.

    Processes that this process forks live on.
    """
    if sys.platform == "linux":
        arguments = (ctypes.c_ulong(one) for one in (signal.SIGKILL, 0, 0, 0))
        ctypes.CDLL(None).prctl(_SET_DEATH_SIGNAL, *arguments)
