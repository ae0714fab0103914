"""A deadline that makes a search yield its core to the compiler."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from ggp import clock
from ggp.clock import Deadline

REST: Final = 2.0
"""Seconds of rest per second of work, which leaves two thirds of a core to other work."""
SHORTEST_REST: Final = 0.01
NAP_SECONDS: Final = 0.02
"""Longest delay until a deadline that was brought forward is noticed."""


class YieldingDeadline(Deadline):
    """A deadline whose `is_over`, which searches call often, may pause the caller.

    A search with the interpreter is worth little compared with the compiled game, so it gives way
    to the compiler. A lowered priority could not be raised again without privileges.
    """

    __slots__ = ("_awake_since", "_is_rest_due")

    def __init__(self, moment: float, is_rest_due: Callable[[], bool]) -> None:
        super().__init__(moment)
        self._is_rest_due = is_rest_due
        self._awake_since = clock.now()

    def is_over(self) -> bool:
        """Return whether the deadline has passed. If a rest is due, rest first."""
        now = clock.now()
        end = now + REST * (now - self._awake_since)
        if end - now < SHORTEST_REST:
            return super().is_over()
        while self._is_rest_due() and not super().is_over() and clock.now() < end:
            time.sleep(min(NAP_SECONDS, self.remaining()))
        self._awake_since = clock.now()
        return super().is_over()
