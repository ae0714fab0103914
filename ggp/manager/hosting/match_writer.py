"""The writer of a match: it stores and publishes each turn, no matter where the match is held."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Concatenate, ParamSpec, TypeVar

from ggp.clock import milliseconds_since_1970
from ggp.manager.domain.rights import VisibleMatch
from ggp.manager.hosting.live import Hub, outcome
from ggp.manager.hosting.match_log import MatchLog, log_end
from ggp.manager.store import matches
from ggp.manager.store.database import Database, Session, finite
from ggp.manager.store.matches import PlayedTurn
from ggp.manager.store.tables import Ending, Status
from ggp.match.errors import MatchError
from ggp.match.events import Began, Moved
from ggp.records.record import MatchRecord

T = TypeVar("T")
P = ParamSpec("P")
PATIENCE_SECONDS = 600.0
"""Longest time that a match waits for a turn to be stored. Then it pauses."""


class MatchWriter:
    """The writer of a match. When a method returns, its changes are in the database."""

    def __init__(
        self,
        database: Database,
        hub: Hub,
        log: MatchLog,
        max_bytes: int,
        sights: Collection[VisibleMatch] = (),
        when_written: Callable[[PlayedTurn], None] = lambda turn: None,
    ) -> None:
        """Create a writer to `database` and `hub`.

        Args:
            sights: The views of all viewers who may not see the whole match.
            when_written: Called with each turn that was stored.
        """
        self.number = log.number
        self._log = log
        self._when_written = when_written
        self._sights = sights
        self._database = database
        self._hub = hub
        self._max_bytes = max_bytes
        self._size = 0
        self._last = 0
        self._is_under_way = False

    def go_on(self, record: MatchRecord | None) -> None:
        """Continue after a record that is already stored."""
        states, moves = (record.states, record.moves) if record else ((), ())
        self._size = sum(len(text) for row in (*states, *moves) for text in row)
        self._last = len(moves)

    async def set_status(self, status: Status, reason: str = "") -> None:
        """Store and publish the status of the match."""
        await self._keep(matches.set_status, status, reason)
        if status == Status.RUNNING:
            self._log.runs()
        self._hub.open(self.number).publish("status", {"status": status.value})

    async def write(self, turn: PlayedTurn) -> None:
        """Store a turn and publish it. Do nothing if it is already stored."""
        is_new = await self._keep(matches.add_turn, turn)
        self._is_under_way = True
        if not is_new:  # a resumed match begins with its last turn
            return
        self._last = turn.number
        self._when_written(turn)
        self._log.played(turn)
        channel = self._hub.open(self.number)
        parts = {sight: sight.turn(turn) for sight in self._sights}
        self._size += channel.publish("turn", turn.fields(), turn.number, parts)
        if self._size > self._max_bytes:
            raise MatchError(
                f"turn {turn.number} makes the match {self._size:,} bytes long; "
                f"expected at most {self._max_bytes:,}"
            )

    async def take_back(self, last: int) -> None:
        """Delete the turns after `last`."""
        await self._keep(matches.take_back, last)
        self._last = last
        self._hub.open(self.number).take_back(last)

    async def begin_anew(self) -> None:
        """Delete all turns except turn 0, whose position is always the same."""
        if self._last:
            await self.take_back(0)
        self._size = 0

    async def complete(self, goals: Sequence[int]) -> None:
        """Store and publish the result of the match."""
        now = milliseconds_since_1970()
        await self._keep(matches.complete, goals, now)
        ended = outcome(Status.COMPLETED, goals, ending=Ending.RULES)
        log_end(self.number, ended)
        self._hub.open(self.number).publish("ended", ended)

    async def _keep(
        self,
        change: Callable[Concatenate[Session, int, P], Awaitable[T]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        # Running matches have priority over matches that begin, of which there may be many.
        keep = self._database.keep_first if self._is_under_way else self._database.keep
        return await keep(PATIENCE_SECONDS, change, self.number, *args, **kwargs)


def turn_of(event: Began | Moved) -> PlayedTurn:
    """Return the last turn in the record of an event."""
    record = event.record
    replies = event.replies if isinstance(event, Moved) else ()
    answers = tuple(
        {
            "role": reply.role,
            "seconds": round(reply.seconds, 3),
            "legal": reply.num_legal,
            "forced": reply.num_legal == 1,
            "fallback": reply.fallback,
            "thoughts": finite(dict(reply.search_info)),
        }
        for reply in replies
    )
    return PlayedTurn(
        len(record.moves),
        record.moves[-1] if record.moves else (),
        record.states[-1],
        record.errors[-1],
        record.state_times[-1],
        answers,
        event.percepts if isinstance(event, Moved) else (),
    )
