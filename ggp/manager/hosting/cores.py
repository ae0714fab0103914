"""Sharing the cores: a match begins when there is one for each of its searching players."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class TakenCores:
    """The cores that a match has, and can lend while its players have nothing to do."""

    def __init__(self, cores: Cores, num: int, match: int) -> None:
        self._cores, self._num, self._match = cores, num, match
        self._are_lent = False
        self._note()

    def lend(self) -> None:
        """Let others have them, until they are claimed."""
        if not self._are_lent:
            self._are_lent = True
            self._note()
            self._cores.release(self._num)

    def claim(self) -> None:
        """Have them again at once, whoever holds them."""
        if self._are_lent:
            self._are_lent = False
            self._note()
            self._cores.seize(self._num)

    def _note(self) -> None:
        if self._are_lent:
            self._cores.holders.discard(self._match)
        elif self._match and self._num:
            self._cores.holders.add(self._match)


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
    ) -> AsyncIterator[TakenCores]:
        """Wait for so many cores, and hold them.

        Args:
            match: The number of the one that they are for; 0: it has none.
            at_once: Take them whoever holds them, because somebody sits there and waits; those who
                ask later wait the longer.
        """
        wanted = min(num_searching, self._total)
        if at_once or wanted == 0:
            self.seize(wanted)
        else:
            await self._wait(wanted)
        taken = TakenCores(self, wanted, match)
        try:
            yield taken
        finally:
            taken.lend()

    def seize(self, num: int) -> None:
        """Take so many at once, though there may be none left."""
        self._free -= num
        self._update()

    def release(self, num: int) -> None:
        """Give so many back to those that wait."""
        self._free += num
        self._admit()

    async def _wait(self, wanted: int) -> None:
        turn = asyncio.Event()
        entry = (wanted, turn)
        self._waiting.append(entry)
        self._admit()
        try:
            await turn.wait()
        except asyncio.CancelledError:
            if turn.is_set():
                self.release(wanted)
            else:
                self._waiting.remove(entry)
                self._admit()
            raise

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
