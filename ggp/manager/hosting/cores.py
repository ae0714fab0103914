"""Sharing the cores: a match begins when there is a core for each of its searching players."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from typing import Final

from ggp.match.events import Asked, Event, Moved, TakenBack

IDLE_SECONDS: Final = 60.0
"""Longest time that a program thinks during a person's turn."""


class TakenCores:
    """The cores that a match holds or waits for. The match may release them while idle."""

    def __init__(self, cores: Cores, num: int, match: int, account: int | None) -> None:
        """Store the number of cores, and the match and account that they are for."""
        self._cores = cores
        self.num, self.match, self.account = num, match, account

    def release(self) -> None:
        """Release the cores to other matches until `take_back` is called."""
        if self in self._cores.taken_by:
            self._cores.release(self)

    def take_back(self) -> None:
        """Take the cores again at once, even if other matches hold them now."""
        if self not in self._cores.taken_by:
            self._cores.take(self)


class Cores:
    """The cores of a machine. Matches get them in the order in which they request them.

    Only one match per account has cores at a time. A match that needs more cores than exist runs
    alone, and one that needs none never waits. A match that waits for another match of its account
    lets later ones pass. When that other match ends, the waiting match moves to the end of the
    queue.

    Attributes:
        taken_by: The matches that have cores.
        free_core: Set while there is a core that no match has or waits for.
        wanted: Set while matches have or wait for all cores.
    """

    def __init__(self, num_cores: int) -> None:
        self._total = max(1, num_cores)
        self._free = self._total
        self._waiting: dict[TakenCores, asyncio.Event] = {}
        """The waiting matches in order, each with the event that lets it start."""
        self.taken_by: set[TakenCores] = set()
        self.free_core, self.wanted = asyncio.Event(), asyncio.Event()
        self._update()

    @property
    def num_waiting(self) -> int:
        """Number of matches that wait for cores."""
        return len(self._waiting)

    @property
    def holders(self) -> set[int]:
        """Numbers of the matches that have cores."""
        return {taken.match for taken in self.taken_by if taken.match and taken.num}

    def holder_of(self, account: int | None) -> int | None:
        """Return the number of the account's match that holds cores.

        Return None if there is no such match, or if `account` is None.
        """
        own = (one.match for one in self.taken_by if one.num and one.account == account)
        return None if account is None else next(own, None)

    @asynccontextmanager
    async def taken(
        self,
        num_searching: int,
        *,
        at_once: bool = False,
        match: int = 0,
        account: int | None = None,
    ) -> AsyncIterator[TakenCores]:
        """Wait for `num_searching` cores, and hold them inside the `async with`.

        Args:
            at_once: Whether to take the cores even if none are free, because a person is waiting
                for the match. Later matches then wait longer.
            match: The number of the match, or 0 if it has none.
            account: The account, which may have only one match with cores at a time. None for a
                match without this limit.
        """
        taken = TakenCores(self, min(num_searching, self._total), match, account)
        if at_once or taken.num == 0:
            self.take(taken)
        else:
            await self._wait(taken)
        try:
            yield taken
        finally:
            taken.release()

    def take(self, taken: TakenCores) -> None:
        """Take the cores at once, even if none are free."""
        self.taken_by.add(taken)
        self._free -= taken.num
        self._update()

    def release(self, taken: TakenCores) -> None:
        """Give the cores back, so that waiting matches can have them."""
        self.taken_by.remove(taken)
        self._free += taken.num
        if taken.account is not None:
            for one in [one for one in self._waiting if one.account == taken.account]:
                self._waiting[one] = self._waiting.pop(one)  # move it to the end of the queue
        self._admit()

    async def _wait(self, taken: TakenCores) -> None:
        turn = self._waiting[taken] = asyncio.Event()
        self._admit()
        try:
            await turn.wait()
        except asyncio.CancelledError:
            if turn.is_set():
                self.release(taken)
            else:
                del self._waiting[taken]
                self._admit()
            raise

    def _admit(self) -> None:
        for taken, turn in list(self._waiting.items()):
            if self.holder_of(taken.account) is not None:
                continue
            # Keep the order. Otherwise a match that needs many cores might wait forever.
            if taken.num > self._free:
                break
            del self._waiting[taken]
            self.take(taken)
            turn.set()
        self._update()

    def _update(self) -> None:
        is_waited_for = any(self.holder_of(one.account) is None for one in self._waiting)
        is_spare = self._free > 0 and not is_waited_for
        now, not_now = (self.free_core, self.wanted) if is_spare else (self.wanted, self.free_core)
        now.set()
        not_now.clear()


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
