"""A deadline on the processor time of this process, so that a busy machine changes no result."""

from __future__ import annotations

import math
import time

from ggp.clock import Deadline


class CpuDeadline(Deadline):
    """End of a budget of processor time; the time of all threads of this process counts.

    >>> CpuDeadline(0.0).is_over()
    True
    """

    __slots__ = ("_end",)

    def __init__(self, seconds: float) -> None:
        super().__init__(math.inf)
        self._end = time.process_time() + seconds

    def remaining(self) -> float:
        """Return the seconds of processor time that are left."""
        return 0.0 if self.moment == -math.inf else max(0.0, self._end - time.process_time())

    def is_over(self) -> bool:
        """Return whether the budget is spent, or `end` was called."""
        return self.remaining() <= 0

    def earlier(self, seconds: float) -> Deadline:
        """Return a deadline with `seconds` less to spend."""
        return CpuDeadline(self.remaining() - seconds)

    def within(self, seconds: float) -> Deadline:
        """Return a deadline that spends at most `seconds` of this budget."""
        return CpuDeadline(min(self.remaining(), seconds))
