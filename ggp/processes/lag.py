"""Lag: how late a process gets to what is due, for want of a core or because its loop is busy."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Final

UNKNOWN_LAG: Final = 0.25
"""Lag that is assumed while nobody has seen the machine with this match on it,"""
UNKNOWN_SECONDS: Final = 5.0
"""for so long: in them its rules are compiled, and most of a core goes to that."""
BEAT_SECONDS: Final = 0.05
MEMORY_SECONDS: Final = 15.0
"""Time for which a delay counts: several turns of a short clock."""


class Lag:
    """A measure of how late this process gets to a sleep that has ended, or a request."""

    def __init__(self, moment: Callable[[], float] = time.monotonic) -> None:
        """Create a measure that has seen no delay.

        Args:
            moment: Returns the seconds on the monotonic clock.
        """
        self._moment = moment
        self._delays: deque[tuple[float, float]] = deque()  # when, and how long; ever shorter ones

    def seconds(self, now: float | None = None) -> float:
        """The longest delay of late.

        Args:
            now: The moment in question, on the monotonic clock; None for the present.
        """
        now = self._moment() if now is None else now
        while self._delays and self._delays[0][0] < now - MEMORY_SECONDS:
            self._delays.popleft()
        return self._delays[0][1] if self._delays else 0.0

    def seconds_since(self, began: float) -> float:
        """The longest delay of late in a match that began then; at first more may be to come."""
        now = self._moment()
        least = UNKNOWN_LAG if now < began + UNKNOWN_SECONDS else 0.0
        return max(least, self.seconds(now))

    def note(self, delay: float, now: float) -> None:
        """Keep a delay that ended at a moment; those before it that were shorter do not matter."""
        while self._delays and self._delays[-1][1] <= delay:
            self._delays.pop()
        self._delays.append((now, delay))

    async def watch(self) -> None:
        """Look for ever."""
        while True:
            due = self._moment() + BEAT_SECONDS
            await asyncio.sleep(BEAT_SECONDS)
            now = self._moment()
            self.note(now - due, now)
            self.seconds(now)  # what has grown old goes
