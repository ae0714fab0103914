"""Live matches: what happens is published once, and any number of spectators read it.

A spectator has a place in the list of what was published and no queue of its own, so a thousand of
them cost a thousand wake-ups and no more; a slow one does not hold up anybody, and misses nothing.
What is published is encoded once, and the same bytes go to all.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ggp.manager.store.tables import Status

CHUNK_BYTES = 1 << 16
"""So much of what a spectator has missed is put together for it; longer events go alone."""
HEARTBEAT_SECONDS = 15.0
HEARTBEAT = b": still here\n\n"
_PLACE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class EventId:
    """The place that a spectator has reached: its browser names it when it comes back.

    >>> str(EventId(2, 7)), EventId.read("2-7"), EventId.read("nonsense")
    ('2-7', EventId(epoch=2, turn=7), None)
    """

    epoch: int
    """Number of times that moves had been taken back: turn 7 may not be the turn 7 of before."""
    turn: int

    def __str__(self) -> str:
        return f"{self.epoch}-{self.turn}"

    @classmethod
    def read(cls, text: str) -> EventId | None:
        """The place that a browser names; None if it names none of ours."""
        found = _PLACE.fullmatch(text)
        return cls(int(found[1]), int(found[2])) if found else None


def frame(name: str, data: Mapping[str, Any], place: EventId | None = None) -> bytes:
    """A server-sent event; `place` is what the browser names when it comes back."""
    return framed(name, json.dumps(data, separators=(",", ":"), ensure_ascii=False), place)


def framed(name: str, text: str, place: EventId | None = None) -> bytes:
    """The same of data that are JSON already."""
    identity = "" if place is None else f"id: {place}\n"
    return f"{identity}event: {name}\ndata: {text}\n\n".encode()


def outcome(status: Status, goals: Sequence[int] = (), reason: str = "") -> dict[str, Any]:
    """The data of the event `ended`."""
    return {"status": status.value, "goals": list(goals), "reason": reason}


class EventChannel:
    """The events that were published of one match since it began to run.

    Attributes:
        epoch: How often moves were taken back.
    """

    def __init__(self) -> None:
        self.epoch = 0
        self._is_whole: bool | None = None
        self._frames: list[bytes] = []
        self._is_closed = False
        self._news = asyncio.Event()

    def publish(self, name: str, data: Mapping[str, Any], turn: int | None = None) -> int:
        """Send an event to all spectators, those too who come later; its number of bytes."""
        place = None if turn is None else EventId(self.epoch, turn)
        self._frames.append(frame(name, data, place))
        self._wake()
        return len(self._frames[-1])

    def take_back(self, last: int) -> None:
        """Report to all spectators that the turns after `last` are no more."""
        self.epoch += 1
        self.publish("taken-back", {"number": last}, last)

    def settle(self, *, is_whole: bool) -> None:
        """Say whether all that is ever played in the match is published here."""
        self._is_whole = is_whole
        self._wake()

    async def is_whole(self) -> bool:
        """Whether it is; this is known soon after the match was started."""
        while self._is_whole is None and not self._is_closed:
            await self._news.wait()
        return bool(self._is_whole)

    def close(self) -> None:
        """Nothing more will be published."""
        self._is_closed = True
        self._wake()

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    @property
    def index(self) -> int:
        """The place of what is published from now on."""
        return len(self._frames)

    async def frames(self, index: int = 0) -> AsyncIterator[bytes]:
        """All that is published from an index on, until the channel is closed.

        Something comes every quarter of a minute, lest proxies think that nobody is there.
        """
        while True:
            news = self._news
            if index < len(self._frames):
                chunk, index = self._chunk(index)
                yield chunk
            elif self._is_closed:
                return
            elif not await _comes_soon(news):
                yield HEARTBEAT

    def _chunk(self, index: int) -> tuple[bytes, int]:
        """Some events from an index on, and where the next ones stand."""
        end, size = index + 1, len(self._frames[index])
        while end < len(self._frames) and size + len(self._frames[end]) <= CHUNK_BYTES:
            size += len(self._frames[end])
            end += 1
        # A single one is not copied.
        return (self._frames[index] if end == index + 1 else b"".join(self._frames[index:end])), end


async def _comes_soon(news: asyncio.Event) -> bool:
    try:
        async with asyncio.timeout(HEARTBEAT_SECONDS):
            await news.wait()
    except TimeoutError:
        return False
    return True


class Hub:
    """The channels of all matches that run."""

    def __init__(self) -> None:
        self._channels: dict[int, EventChannel] = {}

    def open(self, number: int) -> EventChannel:
        """The channel of a match that begins to run."""
        return self._channels.setdefault(number, EventChannel())

    def find(self, number: int) -> EventChannel | None:
        """The channel of a match; None if it does not run."""
        return self._channels.get(number)

    def close(self, number: int) -> None:
        """A match runs no more."""
        channel = self._channels.pop(number, None)
        if channel is not None:
            channel.close()
