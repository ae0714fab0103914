"""Live matches: events are published once, and any number of spectators read them.

A spectator has an index into the list of events instead of its own queue. So a thousand spectators
cost only a thousand wake-ups. A slow spectator misses nothing and does not delay the others. Events
are encoded once for all spectators who may see the same of the match.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from ggp.manager.domain.rights import COMMON, WHOLE, VisibleMatch, sight_of
from ggp.manager.errors import BusyError
from ggp.manager.store import matches
from ggp.manager.store.database import Database
from ggp.manager.store.tables import OVER, MatchRow, Status
from ggp.manager.store.turns import pages
from ggp.plurals import counted

CHUNK_BYTES = 1 << 16
"""Missed events are joined into chunks of up to this size. A longer event is sent alone."""
HEARTBEAT_SECONDS = 15.0
HEARTBEAT = b": still here\n\n"
_PLACE = re.compile(r"([0-9]{1,9})-([0-9]{1,9})")


@dataclass(frozen=True, slots=True)
class EventId:
    """The id of an event. When a browser reconnects, it sends the id of the last event it received.

    >>> str(EventId(2, 7)), EventId.read("2-7"), EventId.read("nonsense")
    ('2-7', EventId(epoch=2, turn=7), None)
    """

    epoch: int
    """How often moves had been taken back. After a take-back, a turn number is used again."""
    turn: int

    def __str__(self) -> str:
        return f"{self.epoch}-{self.turn}"

    @classmethod
    def read(cls, text: str) -> EventId | None:
        """Parse the id that a browser sends. Return None if the id is malformed."""
        found = _PLACE.fullmatch(text)
        return cls(int(found[1]), int(found[2])) if found else None


def frame(name: str, data: Mapping[str, Any], place: EventId | None = None) -> bytes:
    """Encode a server-sent event. Its id is `place`, which a browser sends when it reconnects."""
    return framed(name, json.dumps(data, separators=(",", ":"), ensure_ascii=False), place)


def framed(name: str, text: str, place: EventId | None = None) -> bytes:
    """Encode a server-sent event whose data is already JSON text."""
    identity = "" if place is None else f"id: {place}\n"
    return f"{identity}event: {name}\ndata: {text}\n\n".encode()


def outcome(
    status: Status, goals: Sequence[int] = (), reason: str = "", ending: str = ""
) -> dict[str, Any]:
    """Return the data of the event `ended`."""
    return {"status": status.value, "goals": list(goals), "reason": reason, "ending": ending}


@dataclass(frozen=True, slots=True)
class EventFrame:
    """An encoded event: the whole event, and versions for viewers who may not see everything."""

    whole: bytes
    parts: Mapping[VisibleMatch, bytes]

    def seen_by(self, sight: VisibleMatch) -> bytes:
        """Return the version of the event for a viewer, or the whole event if nothing is hidden."""
        if sight == WHOLE or not self.parts:
            return self.whole
        wholes = (part for one, part in self.parts.items() if one.is_whole)
        other = next(wholes, self.whole) if sight.is_whole else self.parts.get(COMMON, b"")
        return self.parts.get(sight, other)


NO_FRAME = EventFrame(b"", {})
"""A placeholder for an event that was replaced by a later one."""


class EventChannel:
    """The events of one match since it started in this process."""

    def __init__(self) -> None:
        self.epoch = 0
        self.hides = False
        self._is_whole: bool | None = None
        self._frames: list[EventFrame] = []
        self._renewed: dict[str, int] = {}
        """Index of the latest event of each name whose events replace their predecessors."""
        self._is_closed = False
        self._news = asyncio.Event()

    def publish(
        self,
        name: str,
        data: Mapping[str, Any],
        turn: int | None = None,
        parts: Mapping[VisibleMatch, Mapping[str, Any]] | None = None,
    ) -> int:
        """Send an event to all current and future spectators. Return its number of bytes.

        Args:
            turn: The last turn that a spectator knows after the event. None if it stays the same.
            parts: The data for viewers who may not see everything, including `COMMON`. If it is
                empty, all viewers may see everything.
        """
        place = None if turn is None else EventId(self.epoch, turn)
        seen = {sight: frame(name, part, place) for sight, part in (parts or {}).items()}
        self._frames.append(EventFrame(frame(name, data, place), seen))
        self._wake()
        return len(self._frames[-1].whole)

    def renew(
        self, name: str, data: Mapping[str, Any], parts: Mapping[VisibleMatch, Mapping[str, Any]]
    ) -> None:
        """Send an event that replaces all earlier events of the same name."""
        if name in self._renewed:
            self._frames[self._renewed[name]] = NO_FRAME
        self._renewed[name] = self.index
        self.publish(name, data, parts=parts)

    def renewed(self, sight: VisibleMatch) -> bytes:
        """Return the latest event of each name that was sent with `renew`."""
        return b"".join(self._frames[place].seen_by(sight) for place in self._renewed.values())

    def take_back(self, last: int) -> None:
        """Tell all spectators that the turns after turn `last` were taken back."""
        self.epoch += 1
        self.publish("taken-back", {"number": last}, last)

    def settle(self, *, is_whole: bool, hides: bool = False) -> None:
        """Set whether the channel has all turns, and whether parts are hidden from some viewers."""
        self._is_whole = is_whole
        self.hides = hides
        self._wake()

    async def is_whole(self) -> bool:
        """Wait for `settle`, and return whether the channel has all turns of the match."""
        while self._is_whole is None and not self._is_closed:
            await self._news.wait()
        return bool(self._is_whole)

    def close(self) -> None:
        """End the channel: there will be no more events."""
        self._is_closed = True
        self._wake()

    def _wake(self) -> None:
        news, self._news = self._news, asyncio.Event()
        news.set()

    @property
    def index(self) -> int:
        """Index of the next event."""
        return len(self._frames)

    async def frames(self, index: int = 0, sight: VisibleMatch = WHOLE) -> AsyncIterator[bytes]:
        """Yield the events from `index` on, as far as `sight` allows, until the channel closes.

        Yield a comment every 15 seconds, so that proxies keep the connection open.
        """
        while True:
            news = self._news
            if index < len(self._frames):
                chunk, index = self._chunk(index, sight)
                if chunk:
                    yield chunk
            elif self._is_closed:
                return
            elif not await _comes_soon(news):
                yield HEARTBEAT

    def _chunk(self, index: int, sight: VisibleMatch) -> tuple[bytes, int]:
        some = [self._frames[index].seen_by(sight)]
        end, size = index + 1, len(some[0])
        while end < len(self._frames):
            seen = self._frames[end].seen_by(sight)
            size += len(seen)
            if size > CHUNK_BYTES:
                break
            some.append(seen)
            end += 1
        # Avoid copying a single event.
        return (some[0] if len(some) == 1 else b"".join(some)), end


async def _comes_soon(news: asyncio.Event) -> bool:
    try:
        async with asyncio.timeout(HEARTBEAT_SECONDS):
            await news.wait()
    except TimeoutError:
        return False
    return True


class Hub:
    """The channels of all running matches."""

    def __init__(self) -> None:
        self._channels: dict[int, EventChannel] = {}

    def open(self, number: int) -> EventChannel:
        """Return the channel of a match, and create it if necessary."""
        return self._channels.setdefault(number, EventChannel())

    def find(self, number: int) -> EventChannel | None:
        """Return the channel of a match, or None if it is not running."""
        return self._channels.get(number)

    def close(self, number: int) -> None:
        """Close and remove the channel of a match that no longer runs."""
        channel = self._channels.pop(number, None)
        if channel is not None:
            channel.close()


class Spectators:
    """The spectators of all matches, up to a limit.

    Attributes:
        num_watching: Number of spectators now.
    """

    def __init__(self, database: Database, hub: Hub, limit: int) -> None:
        self._database = database
        self._hub = hub
        self._limit = limit
        self.num_watching = 0

    @asynccontextmanager
    async def watching(
        self, number: int, place: EventId | None, key: str = ""
    ) -> AsyncIterator[AsyncIterator[bytes]]:
        """Count a spectator inside the `async with`. Yield the match's events after `place`."""
        if self.num_watching >= self._limit:
            watching = counted(self.num_watching, "spectator is", "spectators are")
            raise BusyError(f"{watching} watching already; try again later")
        self.num_watching += 1
        try:
            broadcast = await Broadcast.of(self._database, self._hub, number, place, key)
            yield broadcast.chunks()
        finally:
            self.num_watching -= 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Broadcast:
    """The events to send to a spectator."""

    database: Database
    number: int
    sight: VisibleMatch
    opening: bytes = b""
    """The events that show the current state of the match."""
    first: int = 0
    last: int = -1
    """The spectator missed the turns from `first` to `last`, which are read from the database."""
    epoch: int = 0
    closing: bytes = b""
    """The events to send after the missed turns."""
    channel: EventChannel | None = None
    """The source of further events. None if there will not be any."""
    index: int = 0
    """Index in the channel of the first further event."""

    @classmethod
    async def of(
        cls, database: Database, hub: Hub, number: int, place: EventId | None, key: str = ""
    ) -> Broadcast:
        """Prepare the events for a spectator who has seen everything up to `place`.

        If `place` is None, the spectator has seen nothing.

        Earlier turns come from the database, later ones from the running match. The index in the
        channel is read first, so that no turn is lost between the two. A turn may be sent twice.
        For a new spectator of a match that began in this process and hides nothing, the database is
        not needed at all.
        """
        channel = hub.find(number)
        begins = channel is not None and place is None and await channel.is_whole()
        if channel is not None and begins and not channel.hides:  # all viewers may see everything
            return cls(database=database, number=number, sight=WHOLE, channel=channel)
        index = channel.index if channel else 0
        epoch = channel.epoch if channel else 0
        # Turns that the spectator saw may have been taken back during the disconnection.
        is_behind = place is not None and place.epoch == epoch
        match = await database.read(matches.find, number)
        sight = sight_of(match, key)
        if begins:
            return cls(database=database, number=number, sight=sight, channel=channel)
        last = match.num_turns if match.has_begun else -1
        closing = b""
        if place is not None and not is_behind and match.has_begun:
            closing = frame("taken-back", {"number": last}, EventId(epoch, last))
        return cls(
            database=database,
            number=number,
            sight=sight,
            opening=b"" if channel is None else _opening(match) + channel.renewed(sight),
            first=place.turn + 1 if place is not None and is_behind else 0,
            last=last,
            epoch=epoch,
            closing=closing if channel is not None else closing + _ending(match),
            channel=channel,
            index=index,
        )

    async def chunks(self) -> AsyncIterator[bytes]:
        """Yield all events until the match no longer runs."""
        if self.opening:
            yield self.opening
        if self.first <= self.last:
            async for page in pages(self.database, self.number, self.first, self.last):
                yield b"".join(
                    framed("turn", self.sight.text(turn), EventId(self.epoch, turn.number))
                    for turn in page
                )
        if self.closing:
            yield self.closing
        if self.channel is not None:
            async for chunk in self.channel.frames(self.index, self.sight):
                yield chunk


def _opening(match: MatchRow) -> bytes:
    if match.status in OVER:
        return b""
    # An interrupted match that is being resumed waits for cores.
    status = Status.RUNNING if match.status == Status.RUNNING else Status.WAITING
    return frame("status", {"status": status.value})


def _ending(match: MatchRow) -> bytes:
    return frame(
        "ended",
        outcome(Status(match.status), match.goals or (), match.reason, match.ending),
    )
