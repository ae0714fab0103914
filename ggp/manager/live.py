"""Live matches: what happens is published once, and any number of spectators read it.

A spectator has a place in the list of what was published and no queue of its own, so a thousand of
them cost a thousand wake-ups and no more; a slow one does not hold up anybody, and misses nothing.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from typing import Any

HEARTBEAT_SECONDS = 15.0
HEARTBEAT = b": still here\n\n"


def frame(name: str, data: Mapping[str, Any], number: int | None = None) -> bytes:
    """A server-sent event; `number` is what the browser tells when it comes back."""
    identity = "" if number is None else f"id: {number}\n"
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return f"{identity}event: {name}\ndata: {text}\n\n".encode()


class Channel:
    """What was published of one match since it began to run."""

    def __init__(self) -> None:
        self._frames: list[bytes] = []
        self._is_closed = False
        self._news = asyncio.Event()

    def publish(self, name: str, data: Mapping[str, Any], number: int | None = None) -> None:
        """Tell all spectators, those too who come later."""
        self._frames.append(frame(name, data, number))
        self._wake()

    def close(self) -> None:
        """Nothing more will be published."""
        self._is_closed = True
        self._wake()

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    @property
    def place(self) -> int:
        """Where what is published from now on will stand."""
        return len(self._frames)

    async def frames(self, place: int = 0) -> AsyncIterator[bytes]:
        """All that is published from a place on, until the channel is closed.

        Something comes every quarter of a minute, lest proxies think that nobody is there.
        """
        while True:
            news = self._news
            if place < len(self._frames):
                chunk = b"".join(self._frames[place:])
                place = len(self._frames)
                yield chunk
            elif self._is_closed:
                return
            elif not await _comes_soon(news):
                yield HEARTBEAT


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
        self._channels: dict[int, Channel] = {}

    def open(self, number: int) -> Channel:
        """The channel of a match that begins to run."""
        return self._channels.setdefault(number, Channel())

    def find(self, number: int) -> Channel | None:
        """The channel of a match; None if it does not run."""
        return self._channels.get(number)

    def close(self, number: int) -> None:
        """A match runs no more."""
        channel = self._channels.pop(number, None)
        if channel is not None:
            channel.close()
