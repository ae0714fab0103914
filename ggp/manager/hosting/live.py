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
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from ggp.manager.domain.rights import COMMON, WHOLE, Sight, sight_of
from ggp.manager.errors import BusyError
from ggp.manager.store import matches
from ggp.manager.store.database import Database
from ggp.manager.store.tables import OVER, MatchRow, Status
from ggp.manager.store.turns import pages

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
    """An event as text, of data that are JSON already."""
    identity = "" if place is None else f"id: {place}\n"
    return f"{identity}event: {name}\ndata: {text}\n\n".encode()


def outcome(
    status: Status, goals: Sequence[int] = (), reason: str = "", ending: str = ""
) -> dict[str, Any]:
    """The data of the event `ended`."""
    return {"status": status.value, "goals": list(goals), "reason": reason, "ending": ending}


@dataclass(frozen=True, slots=True)
class Frame:
    """An event as it is sent: as a whole, and as those are told it who may not see all."""

    whole: bytes
    parts: Mapping[Sight, bytes]

    def seen_by(self, sight: Sight) -> bytes:
        """The event as somebody is told it; where nothing of it is hidden, the whole."""
        if sight == WHOLE or not self.parts:
            return self.whole
        wholes = (part for one, part in self.parts.items() if one.is_whole)
        other = next(wholes, self.whole) if sight.is_whole else self.parts.get(COMMON, b"")
        return self.parts.get(sight, other)


NO_FRAME = Frame(b"", {})
"""In the place of an event that has been renewed since."""


class EventChannel:
    """The events that were published of one match since it began to run."""

    def __init__(self) -> None:
        self.epoch = 0
        self.hides = False
        self._is_whole: bool | None = None
        self._frames: list[Frame] = []
        self._renewed: dict[str, int] = {}
        """The place of each event of which the last one says all."""
        self._is_closed = False
        self._news = asyncio.Event()

    def publish(
        self,
        name: str,
        data: Mapping[str, Any],
        turn: int | None = None,
        parts: Mapping[Sight, Mapping[str, Any]] | None = None,
    ) -> int:
        """Send an event to all spectators, those too who come later; its number of bytes.

        Args:
            parts: The data for those who may not see all of it, `COMMON` among them; if there are
                none, everybody may.
        """
        place = None if turn is None else EventId(self.epoch, turn)
        seen = {sight: frame(name, part, place) for sight, part in (parts or {}).items()}
        self._frames.append(Frame(frame(name, data, place), seen))
        self._wake()
        return len(self._frames[-1].whole)

    def renew(
        self, name: str, data: Mapping[str, Any], parts: Mapping[Sight, Mapping[str, Any]]
    ) -> None:
        """Send an event that says all that those of its name before it have said."""
        if name in self._renewed:
            self._frames[self._renewed[name]] = NO_FRAME
        self._renewed[name] = self.index
        self.publish(name, data, parts=parts)

    def renewed(self, sight: Sight) -> bytes:
        """The last of each event that is renewed."""
        return b"".join(self._frames[place].seen_by(sight) for place in self._renewed.values())

    def take_back(self, last: int) -> None:
        """Report to all spectators that the turns after `last` are no more."""
        self.epoch += 1
        self.publish("taken-back", {"number": last}, last)

    def settle(self, *, is_whole: bool, hides: bool = False) -> None:
        """Say whether all that is ever played in the match is published here, and to everybody."""
        self._is_whole = is_whole
        self.hides = hides
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

    async def frames(self, index: int = 0, sight: Sight = WHOLE) -> AsyncIterator[bytes]:
        """Events published from an index on, as far as seen, until the channel is closed.

        Something comes every quarter of a minute, lest proxies think that nobody is there.
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

    def _chunk(self, index: int, sight: Sight) -> tuple[bytes, int]:
        some = [self._frames[index].seen_by(sight)]
        end, size = index + 1, len(some[0])
        while end < len(self._frames):
            seen = self._frames[end].seen_by(sight)
            size += len(seen)
            if size > CHUNK_BYTES:
                break
            some.append(seen)
            end += 1
        # A single one is not copied.
        return (some[0] if len(some) == 1 else b"".join(some)), end


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


class Spectators:
    """Those who watch: so many at once, and no more.

    Attributes:
        num_watching: How many there are.
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
        """The events of a match for one more spectator, who is as far as `place`."""
        if self.num_watching >= self._limit:
            raise BusyError(f"{self.num_watching} spectators are watching; come back later")
        self.num_watching += 1
        try:
            broadcast = await Broadcast.of(self._database, self._hub, number, place, key)
            yield broadcast.chunks()
        finally:
            self.num_watching -= 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Broadcast:
    """The events that a spectator is to be sent."""

    database: Database
    number: int
    sight: Sight
    opening: bytes = b""
    """The match as it stands."""
    first: int = 0
    last: int = -1
    """The turns that it has missed, in the database."""
    epoch: int = 0
    closing: bytes = b""
    """The frames to send after those."""
    channel: EventChannel | None = None
    """The source of more; None if nothing more will come."""
    index: int = 0
    """The place in the channel at which that begins."""

    @classmethod
    async def of(
        cls, database: Database, hub: Hub, number: int, place: EventId | None, key: str = ""
    ) -> Broadcast:
        """For a spectator of a match that is as far as it says, or has seen nothing yet.

        What was played before stands in the database; what follows comes from the running match.
        The place in that is taken first, so that nothing falls between the two; a turn may come
        twice. A crowd that comes to a match that began here need not ask the database at all.
        """
        channel = hub.find(number)
        begins = channel is not None and place is None and await channel.is_whole()
        if channel is not None and begins and not channel.hides:  # all are told all
            return cls(database=database, number=number, sight=WHOLE, channel=channel)
        index = channel.index if channel else 0
        epoch = channel.epoch if channel else 0
        # Turns that the spectator saw may have been taken back while it was away.
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
        """Everything, until the match runs no more."""
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
    # One that was interrupted and goes on waits for cores.
    status = Status.RUNNING if match.status == Status.RUNNING else Status.WAITING
    return frame("status", {"status": status.value})


def _ending(match: MatchRow) -> bytes:
    return frame(
        "ended",
        outcome(Status(match.status), match.goals or (), match.reason, match.ending),
    )
