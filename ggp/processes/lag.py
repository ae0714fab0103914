"""Lag: how late a process does scheduled work, because it lacks a core or its loop is busy."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Final

UNKNOWN_LAG: Final = 0.25
"""Minimum lag to assume in the first `UNKNOWN_SECONDS` of a match."""
UNKNOWN_SECONDS: Final = 5.0
"""How long to assume `UNKNOWN_LAG`. In this time the match's rules are compiled, which needs most
of a core.
"""
BEAT_SECONDS: Final = 0.05
MEMORY_SECONDS: Final = 15.0
"""How long a delay counts: several turns with a short playclock."""


class Lag:
    """A measure of how late this process notices the end of a sleep or a request."""

    def __init__(self, moment: Callable[[], float] = time.monotonic) -> None:
        """Create a measure without any delays so far.

        Args:
            moment: Returns the current time in seconds on a monotonic clock.
        """
        self._moment = moment
        self._delays: deque[tuple[float, float]] = deque()  # (when, delay), with decreasing delays

    def seconds(self, now: float | None = None) -> float:
        """Return the longest recent delay.

        Args:
            now: The current time on the monotonic clock. If None, read the clock.
        """
        now = self._moment() if now is None else now
        while self._delays and self._delays[0][0] < now - MEMORY_SECONDS:
            self._delays.popleft()
        return self._delays[0][1] if self._delays else 0.0

    def seconds_since(self, began: float) -> float:
        """Return the longest recent delay, but at least `UNKNOWN_LAG` soon after `began`.

        Args:
            began: When the match began.
        """
        now = self._moment()
        least = UNKNOWN_LAG if now < began + UNKNOWN_SECONDS else 0.0
        return max(least, self.seconds(now))

    def note(self, delay: float, now: float) -> None:
        """Store a delay that ended at `now`. Drop earlier delays that were not longer."""
        while self._delays and self._delays[-1][1] <= delay:
            self._delays.pop()
        self._delays.append((now, delay))

    async def watch(self) -> None:
        """Measure delays until cancelled."""
        while True:
            due = self._moment() + BEAT_SECONDS
            await asyncio.sleep(BEAT_SECONDS)
            now = self._moment()
            self.note(now - due, now)
            self.seconds(now)  # drop old delays
