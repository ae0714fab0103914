"""Releasing the cores of a match while its programs only wait for a person."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from ggp.manager.hosting.cores import TakenCores
from ggp.match.events import Asked, Event, Moved, TakenBack

IDLE_SECONDS: Final = 60.0
"""Longest time for which a program thinks during a person's turn."""


class IdleCores:
    """The timer that releases the cores of a match with people in long turns."""

    def __init__(self, cores: TakenCores, playclock: int) -> None:
        """Take the cores, and the playclock of the programs in seconds."""
        self._cores = cores
        self._seconds = playclock + IDLE_SECONDS
        self._timer: asyncio.TimerHandle | None = None

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Stop the timer at the end of the `with`, and leave the cores as they are."""
        try:
            yield
        finally:
            self._stop()

    def see(self, event: Event) -> None:
        """Start or stop the timer after an event in the match."""
        if isinstance(event, Asked):
            self._stop()
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._seconds, self._cores.release)
        elif isinstance(event, Moved | TakenBack):
            self._stop()
            self._cores.take_back()

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
