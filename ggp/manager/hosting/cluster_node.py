"""The code that runs on a cluster's machines: it holds a match and sends news to the manager.

To hold a match is to run its referee and the players that are started for it.
"""

from __future__ import annotations

import asyncio
import pickle
import queue
import socket
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Final

import gdl
import ggp
from ggp.engine import EnginePool
from ggp.errors import GgpError, shortage
from ggp.manager.hosting.match_table import NUM_WARM, MatchOrder, open_table, player_seat
from ggp.manager.hosting.match_writer import turn_of
from ggp.manager.store.matches import PlayedTurn
from ggp.match.errors import AdjournedError, ForgottenError
from ggp.match.events import Began, Ended, Event, Moved
from ggp.match.referee import Referee
from ggp.records.record import MatchRecord
from ggp.sandbox import SandboxPool

NUM_SANDBOXES: Final = 2
LOOK_SECONDS: Final = 0.2
"""Longest wait for news. Between two waits, a task notices that Ray has cancelled it."""
FAREWELL_SECONDS: Final = 5.0
"""Longest time that an aborted match may take to notify its players."""


class FailureKind(StrEnum):
    """The reason why a match stopped."""

    BROKEN_OFF = "broken off"
    """The match is over."""
    ADJOURNED = "adjourned"
    """The match stopped but may continue later."""
    FORGOTTEN = "forgotten"
    """The match was resumed, but the player named in the reason no longer knows it."""
    UNFIT = "unfit"
    """The match itself is fine, but this machine cannot hold it, at least not now."""


@dataclass(frozen=True, slots=True)
class MatchBegun:
    """The news that a match has begun."""

    machine: str


@dataclass(frozen=True, slots=True)
class MatchCompleted:
    """The news that a match was played to its end."""

    goals: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MatchFailed:
    """The news that a match stopped before its end."""

    kind: FailureKind
    reason: str


News = MatchBegun | PlayedTurn | MatchCompleted | MatchFailed


def hold(version: str, packed: bytes) -> Iterator[News | None]:
    """Hold a match. Yield each piece of news, and None after it.

    The caller takes the None only after it has stored the news. Until then, the match waits.

    Args:
        version: The version of the program that the caller runs.
        packed: The pickled order of the match and, if it is resumed, its record.
    """
    machine = socket.gethostname()
    if version != ggp.__version__:
        reason = (
            f"{machine} has ggp-agent {ggp.__version__}; "
            f"expected {version}, the version of the manager"
        )
        yield MatchFailed(FailureKind.UNFIT, reason)
        return
    order, record = pickle.loads(packed)  # noqa: S301  # from the manager whose cluster this is
    held = _HeldMatch(_Workshop.of_this_process(), order, record)
    try:
        yield MatchBegun(machine)
        yield None
        yield from held.news()
    finally:
        held.break_off()


class _Workshop:
    _only: _Workshop | None = None

    @classmethod
    def of_this_process(cls) -> _Workshop:
        if cls._only is None:
            cls._only = cls()
        return cls._only

    def __init__(self) -> None:
        self.loop = asyncio.new_event_loop()
        threading.Thread(target=self.loop.run_forever, name="matches", daemon=True).start()
        self.engines = EnginePool()
        self.sandboxes = SandboxPool(NUM_SANDBOXES)


class _HeldMatch:
    def __init__(self, workshop: _Workshop, order: MatchOrder, record: MatchRecord | None) -> None:
        self._workshop = workshop
        self._order = order
        self._record = record
        self._news: queue.SimpleQueue[tuple[News, asyncio.Future[None] | None] | None] = (
            queue.SimpleQueue()
        )
        self._is_over = threading.Event()
        self._task = asyncio.run_coroutine_threadsafe(self._run(), workshop.loop)

    def news(self) -> Iterator[News | None]:
        while True:
            try:
                entry = self._news.get(timeout=LOOK_SECONDS)
            except queue.Empty:
                continue
            if entry is None:
                return
            news, taken = entry
            yield news
            yield None
            if taken is not None:
                self._workshop.loop.call_soon_threadsafe(_release, taken)

    def break_off(self) -> None:
        self._task.cancel()
        self._is_over.wait(FAREWELL_SECONDS)

    async def _run(self) -> None:
        try:
            await self._play()
        except (GgpError, gdl.GdlError, OSError, MemoryError) as error:
            self._news.put((_failure(error), None))
        except Exception as error:  # noqa: BLE001  # the outermost edge: tell the manager
            reason = f"internal error: {type(error).__name__}: {error}"
            self._news.put((MatchFailed(FailureKind.BROKEN_OFF, reason), None))
        finally:
            self._is_over.set()
            self._news.put(None)

    async def _play(self) -> None:
        workshop, order = self._workshop, self._order
        if order.num_searching:
            await workshop.engines.start_once(NUM_WARM)
        seat = partial(player_seat, pool=workshop.engines)
        async with open_table(order, workshop.sandboxes, seat) as table:
            referee = Referee(order.setup(table), table.seats, self._on_event, self._record)
            await referee.run()

    async def _on_event(self, event: Event) -> None:
        if isinstance(event, Began | Moved):
            await self._hand_over(turn_of(event))
        elif isinstance(event, Ended) and event.record.is_completed:
            assert event.record.goals is not None
            await self._hand_over(MatchCompleted(event.record.goals))

    async def _hand_over(self, news: News) -> None:
        taken: asyncio.Future[None] = self._workshop.loop.create_future()
        self._news.put((news, taken))
        await taken


def _failure(error: BaseException) -> MatchFailed:
    if what := shortage(error):
        return MatchFailed(
            FailureKind.UNFIT, f"{socket.gethostname()} has run out of resources ({what})"
        )
    if isinstance(error, AdjournedError):
        return MatchFailed(FailureKind.ADJOURNED, str(error))
    if isinstance(error, ForgottenError):
        return MatchFailed(FailureKind.FORGOTTEN, error.name)
    if isinstance(error, GgpError | gdl.GdlError):
        return MatchFailed(FailureKind.BROKEN_OFF, str(error))
    return MatchFailed(FailureKind.BROKEN_OFF, f"internal error: {type(error).__name__}")


def _release(taken: asyncio.Future[None]) -> None:
    if not taken.done():
        taken.set_result(None)
