"""The deadline rule: how long before the end of the manager's clock an answer leaves."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from typing import Final

from ggp.clock import Deadline

SHORT_CLOCK_SHARE = 0.25  # of a clock too short for the whole margin
BUSY_CLOCK_SHARE = 0.6  # of a clock, at most, on a machine that is overloaded
LAGS = 2  # one until the request is read, one until the answer is written


def margin_of(margin: float, clock: float, lag: float = 0.0) -> float:
    """The margin for a clock: less than usual if that is very short, more on a busy machine.

    Args:
        margin: The usual one, in seconds.
        lag: How late this process gets to do what is due, in seconds.
    """
    usual = min(margin, SHORT_CLOCK_SHARE * clock)
    return max(usual, min(usual + LAGS * lag, BUSY_CLOCK_SHARE * clock))


def deadlines(arrived: float, clock: float, margin: float) -> tuple[Deadline, Deadline]:
    """The moments when an answer is due: one that was searched for, and any that is legal.

    Args:
        arrived: When the message came, on `time.monotonic()`.
        margin: See `margin_of`.
    """
    return Deadline(arrived + clock - margin), Deadline(arrived + clock - margin / 2)


UNKNOWN_LAG: Final = 0.25
"""Lag that is assumed while nobody has seen the machine with this match on it,"""
UNKNOWN_SECONDS: Final = 5.0
"""for so long: in them its rules are compiled, and most of a core goes to that."""
BEAT_SECONDS: Final = 0.05
MEMORY_SECONDS: Final = 15.0
"""Time for which a delay counts: several turns of a short clock."""


class Lag:
    """How late this process gets to what is due: to a sleep that has ended, or a request."""

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

    def seconds_since(self, began: float) -> float:
        """The longest delay of late in a match that began then; at first more may be to come."""
        now = time.monotonic()
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
            due = time.monotonic() + BEAT_SECONDS
            await asyncio.sleep(BEAT_SECONDS)
            now = time.monotonic()
            self.note(now - due, now)
            self.seconds(now)  # what has grown old goes
