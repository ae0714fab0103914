"""Spectators of matches: each is sent what was played before, then what comes, without a gap."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

from ggp.manager.domain.sight import WHOLE, Sight, sight_of
from ggp.manager.errors import BusyError
from ggp.manager.hosting.live import EventChannel, EventId, Hub, frame, framed, outcome
from ggp.manager.store import matches
from ggp.manager.store.database import Database
from ggp.manager.store.tables import OVER, MatchRow, Status
from ggp.manager.store.turn_texts import pages


class Spectators:
    """Those who watch: so many at once, and no more."""

    def __init__(self, database: Database, hub: Hub, limit: int) -> None:
        self._database = database
        self._hub = hub
        self._limit = limit
        self._num_watching = 0

    @asynccontextmanager
    async def watching(
        self, number: int, place: EventId | None, key: str = ""
    ) -> AsyncIterator[AsyncIterator[bytes]]:
        """The events of a match for one more spectator, as long as the `async with` lasts.

        Args:
            number: Of the match.
            place: As far as the spectator is.
            key: Of the seat where it plays, if it does.

        Raises:
            BusyError: There are too many.
            UnknownMatchError: There is no such match.
        """
        if self._num_watching >= self._limit:
            raise BusyError(f"{self._num_watching} spectators are watching; come back later")
        self._num_watching += 1
        try:
            broadcast = await Broadcast.of(self._database, self._hub, number, place, key)
            yield broadcast.chunks()
        finally:
            self._num_watching -= 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Broadcast:
    """The events that a spectator is to be sent."""

    database: Database
    number: int
    sight: Sight
    """What the spectator may see."""
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

        Args:
            database: Where the match is written down.
            hub: Where it is published.
            number: Of the match.
            place: As far as the spectator is.
            key: Of the seat where it plays, if it does.

        Raises:
            UnknownMatchError: There is no such match.
        """
        channel = hub.find(number)
        begins = channel is not None and place is None and await channel.is_whole()
        if channel is not None and begins and not channel.hides:
            return cls(database=database, number=number, sight=WHOLE, channel=channel)
        index = channel.index if channel else 0
        epoch = channel.epoch if channel else 0
        # Turns that the spectator saw may have been taken back while it was away.
        is_behind = place is not None and place.epoch == epoch
        async with database.reading() as session:
            match = await matches.find(session, number)
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
            opening=b"" if channel is None else _opening(match),
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
    return frame("ended", outcome(Status(match.status), match.goals or (), match.reason))
