"""Time: the monotonic clock, the time of day, and deadlines that can be brought forward.

>>> deadline = Deadline.after(seconds=0.5)
>>> while not deadline.is_over():
...     deadline.end()  # a search would do a slice of work here
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

now: Callable[[], float] = time.monotonic
"""Return the seconds on the monotonic clock, which all processes of a machine share.

Call it as `clock.now()`, so that a test can replace the clock.
"""


def milliseconds_since_1970() -> int:
    """Return the current time as a Unix timestamp in milliseconds, as match records store it."""
    return time.time_ns() // 1_000_000


class Deadline:
    """A moment at which to stop. Another thread may call `end()` to stop at once.

    Attributes:
        moment: The moment, as a time of `ggp.clock.now()`. Infinity means "until `end()` is
            called".
    """

    __slots__ = ("moment",)

    def __init__(self, moment: float) -> None:
        self.moment = moment

    @classmethod
    def after(cls, seconds: float) -> Deadline:
        """Return the deadline `seconds` from now. `seconds` may be infinite."""
        return cls(now() + seconds)

    @classmethod
    def never(cls) -> Deadline:
        """Return a deadline that is not over until `end()` is called."""
        return cls(math.inf)

    def remaining(self) -> float:
        """Return the seconds left, at least 0."""
        return max(0.0, self.moment - now())

    def is_over(self) -> bool:
        """Return whether the deadline has passed."""
        return now() >= self.moment

    def end(self) -> None:
        """Bring the deadline forward to now."""
        self.moment = -math.inf

    def earlier(self, seconds: float) -> Deadline:
        """Return a new deadline, `seconds` before this one."""
        return Deadline(self.moment - seconds)

    def within(self, seconds: float) -> Deadline:
        """Return a new deadline, `seconds` from now. It ends earlier if this one does."""
        return _Part(self, seconds)

    def __repr__(self) -> str:
        return f"<Deadline in {self.remaining():.3f} s>"


class _Part(Deadline):
    """A deadline within another deadline: it is over when the other one is over, or earlier."""

    __slots__ = ("_whole",)

    def __init__(self, whole: Deadline, seconds: float) -> None:
        super().__init__(now() + seconds)
        self._whole = whole

    def remaining(self) -> float:
        return min(super().remaining(), self._whole.remaining())

    def is_over(self) -> bool:
        return super().is_over() or self._whole.is_over()
