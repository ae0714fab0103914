"""What one spectator of a match is sent: what was played before, then what comes, without a gap."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import dataclass

from ggp.manager.live import Channel, Hub, Place, frame
from ggp.manager.store import matches
from ggp.manager.store.database import Database
from ggp.manager.store.status import OVER, Status
from ggp.manager.views import ended_view, turn_view


@dataclass(frozen=True, slots=True)
class Broadcast:
    """What a spectator is to be sent."""

    past: bytes
    """Events that bring it up to date."""
    channel: Channel | None
    """Where more comes from; None if nothing will."""
    index: int
    """Where in the channel that begins."""

    @classmethod
    async def of(cls, database: Database, hub: Hub, number: int, place: Place | None) -> Broadcast:
        """For a spectator of a match that is as far as it says, or has seen nothing yet.

        What was played before stands in the database; what follows comes from the running match.
        The place in that is taken first, so that nothing falls between the two; a turn may come
        twice. A crowd that comes to a match that began here need not ask the database at all.

        Raises:
            UnknownMatchError: There is no such match.
        """
        channel = hub.find(number)
        if channel is not None and place is None and await channel.is_whole():
            return cls(b"", channel, 0)
        index = channel.index if channel else 0
        epoch = channel.epoch if channel else 0
        # Turns that the spectator saw may have been taken back while it was away.
        is_behind = place is not None and place.epoch == epoch
        first = place.turn + 1 if place is not None and is_behind else 0
        async with database.reading() as session:
            match = await matches.find(session, number)
            turns = await matches.turns_of(session, number, first)
        frames = [frame("turn", turn_view(one), Place(epoch, one.number)) for one in turns]
        if place is not None and not is_behind and turns:
            last = turns[-1].number
            frames.append(frame("taken-back", {"number": last}, Place(epoch, last)))
        row = match.row
        if channel is not None:
            if row.status not in OVER:  # one that was interrupted and goes on waits for cores
                status = Status.RUNNING if row.status == Status.RUNNING else Status.WAITING
                frames.insert(0, frame("status", {"status": status.value}))
        else:
            told = ended_view(matches.status_of(row), row.goals or (), row.reason)
            frames.append(frame("ended", told))
        return cls(b"".join(frames), channel, index)

    async def chunks(self) -> AsyncIterator[bytes]:
        """Everything, until the match runs no more."""
        if self.past:
            yield self.past
        if self.channel is not None:
            async for chunk in self.channel.frames(self.index):
                yield chunk
