"""Sharing the cores: a match begins when there is one for each of its searching players."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class Cores:
    """Cores, taken by matches in the order in which they ask.

    A match that needs more than there are runs alone; one that needs none never waits.

    Attributes:
        holders: The numbers of matches that have cores.
        spare: Is set as long as there is a core that no match has or waits for.
        wanted: Is set as long as there is none.
    """

    def __init__(self, num_cores: int) -> None:
        self._total = max(1, num_cores)
        self._free = self._total
        self._waiting: deque[tuple[int, asyncio.Event]] = deque()
        self.holders: set[int] = set()
        self.spare, self.wanted = asyncio.Event(), asyncio.Event()
        self._update()

    @property
    def num_waiting(self) -> int:
        """How many matches wait for cores."""
        return len(self._waiting)

    @asynccontextmanager
    async def taken(
        self, num_searching: int, *, at_once: bool = False, match: int = 0
    ) -> AsyncIterator[None]:
        """Wait for so many cores, and hold them.

        Args:
            match: The number of the one that they are for; 0: it has none.
            at_once: Take them whoever holds them, because somebody sits there and waits; those who
                ask later wait the longer.
        """
        wanted = min(num_searching, self._total)
        if at_once or wanted == 0:
            self._free -= wanted
            self._update()
        else:
            await self._wait(wanted)
        if match and wanted:
            self.holders.add(match)
        try:
            yield
        finally:
            self.holders.discard(match)
            self._release(wanted)

    async def _wait(self, wanted: int) -> None:
        turn = asyncio.Event()
        entry = (wanted, turn)
        self._waiting.append(entry)
        self._admit()
        try:
            await turn.wait()
        except asyncio.CancelledError:
            if turn.is_set():
                self._release(wanted)
            else:
                self._waiting.remove(entry)
                self._admit()
            raise

    def _release(self, num: int) -> None:
        self._free += num
        self._admit()

    def _admit(self) -> None:
        # Strictly in order: a match that needs many would wait for ever behind those that need few.
        while self._waiting and self._waiting[0][0] <= self._free:
            wanted, turn = self._waiting.popleft()
            self._free -= wanted
            turn.set()
        self._update()

    def _update(self) -> None:
        is_spare = self._free > 0 and not self._waiting
        now, not_now = (self.spare, self.wanted) if is_spare else (self.wanted, self.spare)
        now.set()
        not_now.clear()
