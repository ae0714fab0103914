"""Leaving other matches the cores of one whose programs only wait for a person."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from ggp.manager.hosting.cores import TakenCores
from ggp.match.events import Asked, Event, Moved, TakenBack

IDLE_SECONDS: Final = 60.0
"""Longest time for which a program goes on thinking while a person is waited for."""


class IdleCores:
    """Leaves others the cores of a match with people in turns that last long."""

    def __init__(self, cores: TakenCores, playclock: int) -> None:
        """Take the time that the programs have for a move."""
        self._cores = cores
        self._seconds = playclock + IDLE_SECONDS
        self._timer: asyncio.TimerHandle | None = None

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Leave the cores as they are after the `with`."""
        try:
            yield
        finally:
            self._stop()

    def see(self, event: Event) -> None:
        """Something has happened in the match."""
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
