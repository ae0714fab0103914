"""The delay with which this process does what is due: hardly any, unless the machine is overloaded.

Then an answer has to be sent off earlier by as much, or it would leave late.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import Final

BEAT_SECONDS: Final = 0.05
MEMORY_SECONDS: Final = 15.0
"""Time for which a delay counts: several turns of a short clock."""


class Lag:
    """Looks, again and again, how long after the time set for it a sleep has ended."""

    def __init__(self) -> None:
        self._delays: deque[tuple[float, float]] = deque()  # when, and how long; ever shorter ones

    def seconds(self, now: float | None = None) -> float:
        """The longest delay of late.

        Args:
            now: On `time.monotonic()`; None for the present.
        """
        now = time.monotonic() if now is None else now
        while self._delays and self._delays[0][0] < now - MEMORY_SECONDS:
            self._delays.popleft()
        return self._delays[0][1] if self._delays else 0.0

    def note(self, delay: float, now: float) -> None:
        """Keep a delay that ended at a moment; those before it that were shorter do not matter."""
        while self._delays and self._delays[-1][1] <= delay:
            self._delays.pop()
        self._delays.append((now, delay))

    async def watch(self) -> None:
        """Look for ever."""
        while True:
            due = time.monotonic() + BEAT_SECONDS
            await asyncio.sleep(BEAT_SECONDS)
            now = time.monotonic()
            self.note(now - due, now)
            self.seconds(now)  # what has grown old goes
