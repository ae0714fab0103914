"""A deadline that lets its player rest while something else needs the core more."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from typing import Final

from ggp.clock import Deadline

REST: Final = 2.0
"""Seconds of rest for each second of work: two thirds of a core are left to what else computes."""
SHORTEST_REST: Final = 0.01
NAP_SECONDS: Final = 0.02
"""So long may it take to see that the deadline was brought forward."""


class GivingWay(Deadline):
    """A deadline that is looked at often: whoever looks may be kept waiting.

    The interpreter's search is worth little beside the compiled game, so it gives way to what
    compiles that. A priority that is lowered could not be raised again without privileges.
    """

    __slots__ = ("_awake_since", "_is_rest_due")

    def __init__(self, moment: float, is_rest_due: Callable[[], bool]) -> None:
        """A deadline.

        Args:
            moment: As of any.
            is_rest_due: Whether something else needs the core more now.
        """
        super().__init__(moment)
        self._is_rest_due = is_rest_due
        self._awake_since = time.monotonic()

    def is_over(self) -> bool:
        """Whether the moment has come; returns after a rest if one is due."""
        now = time.monotonic()
        end = now + REST * (now - self._awake_since)
        if end - now < SHORTEST_REST:
            return super().is_over()
        while self._is_rest_due() and not super().is_over() and time.monotonic() < end:
            time.sleep(min(NAP_SECONDS, self.remaining()))
        self._awake_since = time.monotonic()
        return super().is_over()


def has_one_core() -> bool:
    """Whether all that this process and its children do shares one core."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0)) == 1
    return os.cpu_count() == 1
