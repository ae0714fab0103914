"""Time: now on the monotonic clock, the time of day, and deadlines that can be brought forward.

>>> deadline = Deadline.after(seconds=0.5)
>>> while not deadline.is_over():
...     deadline.end()  # a search would do a slice of work here
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

now: Callable[[], float] = time.monotonic
"""Return the seconds on the monotonic clock, which all processes of one machine share.

Call it as `clock.now()`, so that a test may put another clock in its place.
"""


def milliseconds_since_1970() -> int:
    """The time of day, as records of matches have it."""
    return time.time_ns() // 1_000_000


class Deadline:
    """Moment to stop at. Another thread may call `end()` to make it now.

    Attributes:
        moment: Seconds on `ggp.clock.now()`; infinity for "until it is ended".
    """

    __slots__ = ("moment",)

    def __init__(self, moment: float) -> None:
        self.moment = moment

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        """The moment that many seconds from now; infinity is allowed."""
        return cls(now() + seconds)

    @classmethod
    def never(cls) -> Deadline:
        """A deadline that only `end()` brings about."""
        return cls(math.inf)

    def remaining(self) -> float:
        """Seconds left, not below 0."""
        return max(0.0, self.moment - now())

    def is_over(self) -> bool:
        """Whether the moment has come."""
        return now() >= self.moment

    def end(self) -> None:
        """Make the deadline now."""
        self.moment = -math.inf

    def earlier(self, seconds: float) -> Deadline:
        """The moment that many seconds before this one."""
        return Deadline(self.moment - seconds)

    def within(self, seconds: float) -> Deadline:
        """The moment that many seconds from now, or this one, whichever is over first."""
        return _Part(self, seconds)

    def __repr__(self) -> str:
        return f"<Deadline in {self.remaining():.3f} s>"


class _Part(Deadline):
    """A part of the time until another deadline, with which it ends."""

    __slots__ = ("_whole",)

    def __init__(self, whole: Deadline, seconds: float) -> None:
        super().__init__(now() + seconds)
        self._whole = whole

    def remaining(self) -> float:
        return min(super().remaining(), self._whole.remaining())

    def is_over(self) -> bool:
        return super().is_over() or self._whole.is_over()
