"""Lag: how late a process does scheduled work, because it lacks a core or its loop is busy."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Callable
from typing import Final

UNKNOWN_LAG: Final = 0.25
"""Lag to assume until the machine has been observed with a new match,"""
UNKNOWN_SECONDS: Final = 5.0
"""and how long to assume it: while the match's rules are compiled, which needs most of a core."""
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
            now: The time on that clock for which to ask. If None, the current time.
        """
        now = self._moment() if now is None else now
        while self._delays and self._delays[0][0] < now - MEMORY_SECONDS:
            self._delays.popleft()
        return self._delays[0][1] if self._delays else 0.0

    def seconds_since(self, began: float) -> float:
        """Return the longest recent delay for a match begun at `began`, with a minimum at first."""
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
