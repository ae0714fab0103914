"""Releasing the cores of a match while its programs only wait for a person's move."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from ggp.manager.hosting.cores import TakenCores
from ggp.match.events import Asked, Event, Moved, TakenBack

IDLE_SECONDS: Final = 60.0
"""Longest time that a program thinks during a person's turn."""


class IdleCores:
    """A timer that releases the cores of a match when a person takes long to move."""

    def __init__(self, cores: TakenCores, playclock: int) -> None:
        """Create the timer. `playclock` is the programs' playclock in seconds."""
        self._cores = cores
        self._seconds = playclock + IDLE_SECONDS
        self._timer: asyncio.TimerHandle | None = None

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Stop the timer at the end of the `with` block. This does not change who has the cores."""
        try:
            yield
        finally:
            self._stop()

    def see(self, event: Event) -> None:
        """Start or stop the timer, depending on an event in the match."""
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
