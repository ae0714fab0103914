"""The ends of matches: they are stored and published, or stored later if that is impossible now."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from ggp.clock import milliseconds_since_1970
from ggp.manager.domain.people import Settlement
from ggp.manager.hosting.live import Hub, outcome
from ggp.manager.hosting.match_log import log_end
from ggp.manager.store import matches
from ggp.manager.store.database import Database, Session, UnavailableError
from ggp.manager.store.tables import OVER, Status

MAX_REASON = 500
END_SECONDS = 2.0
NOT_RUNNING = "it was no longer running"


@dataclass(frozen=True, slots=True)
class MatchEnd:
    """The end or pause of a match for a reason other than its rules."""

    status: Status
    reason: str
    settlement: Settlement | None = None
    """The result on which the people settled. If it is set, the match counts as completed."""

    @classmethod
    def settled(cls, settlement: Settlement) -> MatchEnd:
        """Create the end of a match that its people settled."""
        return cls(Status.COMPLETED, settlement.reason, settlement)

    def event(self) -> dict[str, object]:
        """Return the data of the event `ended`."""
        goals = () if self.settlement is None else self.settlement.goals
        ending = "" if self.settlement is None else self.settlement.ending.value
        return outcome(self.status, goals, self.reason, ending)


class MatchEnds:
    """The writer of the ends of matches. It keeps the ends that cannot be stored yet."""

    def __init__(self, database: Database, hub: Hub, is_running: Callable[[int], bool]) -> None:
        """Create the writer. `is_running` returns whether a match has a task."""
        self._database = database
        self._hub = hub
        self._is_running = is_running
        self._pending: dict[int, MatchEnd] = {}

    def forget(self, number: int) -> None:
        """Drop the pending end of a match that is started again."""
        self._pending.pop(number, None)

    def check_stored(self, number: int, what: str) -> None:
        """Check that the end of a match is stored.

        Args:
            what: How the match ended, for the error message, such as `is aborted`.

        Raises:
            UnavailableError: The end is pending.
        """
        if number in self._pending:
            raise UnavailableError(
                f"match {number} {what}; this is stored as soon as the database can be written"
            )

    async def store_pending(self) -> None:
        """Store the pending ends."""
        for number, end in list(self._pending.items()):
            await self._store(number, end)

    async def end(self, number: int, end: MatchEnd) -> None:
        """Store and publish the end of a match, unless it is over already.

        If the end cannot be stored now, publish it and keep it for `store_pending`.
        """
        end = replace(end, reason=end.reason[:MAX_REASON])
        try:
            is_published = await self._store(number, end, END_SECONDS)
        except UnavailableError:
            is_published = number not in self._pending
            self._pending.setdefault(number, end)
        if not is_published:
            return
        log_end(number, end.event())
        if (channel := self._hub.find(number)) is not None:
            channel.publish("ended", end.event())

    async def _store(self, number: int, end: MatchEnd, seconds: float = 0.0) -> bool:
        """Store the end of a match. Return False if the match is over or runs again."""

        async def change(session: Session) -> bool:
            match = await matches.find(session, number)
            is_taken_up = end.reason == NOT_RUNNING and self._is_running(number)
            if match.status in OVER or is_taken_up:
                return False
            now, settled = milliseconds_since_1970(), end.settlement
            if settled is None:
                await matches.set_status(session, number, end.status, end.reason, now)
            else:
                await matches.complete(
                    session, number, settled.goals, now, settled.ending, end.reason
                )
            return True

        is_new = await self._database.keep(seconds, change)
        self._pending.pop(number, None)
        return is_new
