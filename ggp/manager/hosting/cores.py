"""Sharing the cores: a match begins when there is one for each of its searching players."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager


class TakenCores:
    """The cores that a match waits for or has, and leaves while its players have nothing to do."""

    def __init__(self, cores: Cores, num: int, match: int, account: int | None) -> None:
        """Take how many, and the match and the account for which they are."""
        self._cores = cores
        self.num, self.match, self.account = num, match, account

    def release(self) -> None:
        """Let other matches have them, until they are taken back."""
        if self in self._cores.taken_by:
            self._cores.release(self)

    def take_back(self) -> None:
        """Have them again at once, whoever has them."""
        if self not in self._cores.taken_by:
            self._cores.take(self)


class Cores:
    """Cores, taken by matches in the order in which they ask; of one account one match at a time.

    A match that needs more than there are runs alone; one that needs none never waits. One that
    waits for another of its account lets those behind it pass, and asks when that one has ended.

    Attributes:
        taken_by: Those who have some.
        spare: Is set as long as there is a core that no match has or waits for.
        wanted: Is set as long as there is none.
    """

    def __init__(self, num_cores: int) -> None:
        self._total = max(1, num_cores)
        self._free = self._total
        self._waiting: dict[TakenCores, asyncio.Event] = {}
        """In the order in which they ask, with what tells them that their turn has come."""
        self.taken_by: set[TakenCores] = set()
        self.spare, self.wanted = asyncio.Event(), asyncio.Event()
        self._update()

    @property
    def num_waiting(self) -> int:
        """Number of matches that wait for cores."""
        return len(self._waiting)

    @property
    def holders(self) -> set[int]:
        """The numbers of matches that have cores."""
        return {taken.match for taken in self.taken_by if taken.match and taken.num}

    def holder_of(self, account: int | None) -> int | None:
        """The match of an account that has cores; None if there is none, or no account."""
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
        """Wait for so many cores, and hold them.

        Args:
            match: The number of the one that they are for; 0: it has none.
            account: That of which only one match at a time has cores; None: it is bound by none.
            at_once: Take them whoever holds them, because somebody sits there and waits; those who
                ask later wait the longer.
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
        """Take so many at once, though there may be none left."""
        self.taken_by.add(taken)
        self._free -= taken.num
        self._update()

    def release(self, taken: TakenCores) -> None:
        """Give so many back to those that wait."""
        self.taken_by.remove(taken)
        self._free += taken.num
        if taken.account is not None:
            for one in [one for one in self._waiting if one.account == taken.account]:
                self._waiting[one] = self._waiting.pop(one)  # behind all that ask already
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
            # In order: a match that needs many would wait for ever behind those that need few.
            if taken.num > self._free:
                break
            del self._waiting[taken]
            self.take(taken)
            turn.set()
        self._update()

    def _update(self) -> None:
        is_waited_for = any(self.holder_of(one.account) is None for one in self._waiting)
        is_spare = self._free > 0 and not is_waited_for
        now, not_now = (self.spare, self.wanted) if is_spare else (self.wanted, self.spare)
        now.set()
        not_now.clear()
