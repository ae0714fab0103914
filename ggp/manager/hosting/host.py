"""The host of matches: runs those that are set up, writes each turn down, tells the spectators.

A turn is in the database before the next one begins. A match that was interrupted, by the death of
the manager say, goes on where its last turn ended.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

import gdl
from ggp.clock import milliseconds_since_1970
from ggp.errors import GgpError
from ggp.manager.furniture import Tables
from ggp.manager.hosting.cores import Cores
from ggp.manager.live import Hub
from ggp.manager.problems import ConflictError
from ggp.manager.store import matches
from ggp.manager.store.database import Database
from ggp.manager.store.json_text import finite
from ggp.manager.store.matches import Match, Turn
from ggp.manager.store.status import OVER, Status
from ggp.manager.views import ended_view, turn_view
from ggp.match.errors import AdjournedError
from ggp.match.events import Began, Ended, Event, Moved, Reply, TakenBack
from ggp.match.record import MatchRecord
from ggp.match.referee import MatchSetup, Referee

_log = logging.getLogger(__name__)

MAX_REASON = 500
"""Characters."""


class MatchHost:
    """Runs matches, each in a task of its own; a bad one never harms another."""

    def __init__(self, database: Database, hub: Hub, tables: Tables, cores: Cores) -> None:
        self._database = database
        self._hub = hub
        self._tables = tables
        self._cores = cores
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._is_closing = False

    def start(self, number: int) -> asyncio.Task[None]:
        """Run a match that is set up or was interrupted; the task ends when the match has.

        Raises:
            ConflictError: The manager is about to stop.
        """
        task = self._tasks.get(number)
        if task is None:
            if self._is_closing:
                raise ConflictError("the manager is about to stop")
            self._hub.open(number)  # at once: who asks for the match now shall see it all
            task = asyncio.create_task(self._run(number), name=f"match {number}")
            self._tasks[number] = task
            task.add_done_callback(lambda _: self._forget(number))
        return task

    async def abort(self, number: int) -> None:
        """Break a match off; its players are told."""
        task = self._tasks.get(number)
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        # A task that was cancelled before it began has written nothing.
        await self._end(number, Status.ABORTED, "by hand")

    def is_running(self, number: int) -> bool:
        """Whether a match runs or waits for cores."""
        return number in self._tasks

    async def close(self) -> None:
        """Interrupt all matches; they can go on later."""
        self._is_closing = True
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    def _forget(self, number: int) -> None:
        self._tasks.pop(number, None)
        self._hub.close(number)

    async def _run(self, number: int) -> None:
        try:
            async with self._database.reading() as session:
                match = await matches.find(session, number, with_rules=True)
                record = await matches.record_of(session, number) if match.has_begun else None
            self._hub.open(number).settle(is_whole=not match.has_begun)
            num_searching = self._tables.num_searching(match)
            is_awaited = self._tables.has_person(match)
            async with self._cores.taken(num_searching, at_once=is_awaited):
                await self._referee(match, record)
        except asyncio.CancelledError:
            if self._is_closing:
                await asyncio.shield(self._end(number, Status.INTERRUPTED, "the manager stopped"))
            else:
                await asyncio.shield(self._end(number, Status.ABORTED, "by hand"))
            raise
        except AdjournedError as error:
            await self._end(number, Status.INTERRUPTED, str(error))
        except (GgpError, gdl.GdlError) as error:
            await self._end(number, Status.ABORTED, str(error))
        except Exception as error:  # noqa: BLE001  # the outermost edge: others play on
            _log.exception("match %d failed", number)
            await self._end(number, Status.ABORTED, f"internal error: {type(error).__name__}")

    async def _referee(self, match: Match, record: MatchRecord | None) -> None:
        number, row = match.row.id, match.row
        async with self._database.writing() as session:
            await matches.set_status(session, number, Status.RUNNING)
        self._hub.open(number).publish("status", {"status": Status.RUNNING.value})
        async with self._tables.laid(match) as table:
            setup = MatchSetup(
                match_id=row.match_id,
                rulebook=table.rulebook,
                rules=table.rules,
                startclock=row.startclock,
                playclock=row.playclock,
                move_limit=row.move_limit,
                seed=row.seed,
                unhurried=table.unhurried,
                epilog=table.epilog,
                will_go_on=lambda: self._is_closing,
            )
            await Referee(setup, table.seats, self._observer(number), record).run()

    def _observer(self, number: int) -> Callable[[Event], Awaitable[None] | None]:
        async def keep(event: Event) -> None:
            if isinstance(event, Began | Moved):
                await self._write(number, event)
            elif isinstance(event, TakenBack):
                await self._take_back(number, event)
            elif isinstance(event, Ended) and event.record.is_completed:
                await self._complete(number, event.record)

        return keep

    async def _write(self, number: int, event: Began | Moved) -> None:
        replies = event.replies if isinstance(event, Moved) else ()
        turn = _last_turn(event.record, replies)
        async with self._database.writing() as session:
            is_new = await matches.add_turn(session, number, turn)
        if is_new:  # a match that goes on begins with the turn that was its last
            self._hub.open(number).publish("turn", turn_view(turn), turn.number)

    async def _take_back(self, number: int, event: TakenBack) -> None:
        last = len(event.record.moves)
        async with self._database.writing() as session:
            await matches.take_back(session, number, last)
        self._hub.open(number).take_back(last)

    async def _complete(self, number: int, record: MatchRecord) -> None:
        assert record.goals is not None
        async with self._database.writing() as session:
            await matches.complete(session, number, record.goals, milliseconds_since_1970())
        self._hub.open(number).publish("ended", ended_view(Status.COMPLETED, record.goals))

    async def _end(self, number: int, status: Status, reason: str) -> None:
        """Write down why a match does not go on; one that is over stays as it is."""
        reason = reason[:MAX_REASON]
        async with self._database.writing() as session:
            match = await matches.find(session, number)
            if match.row.status in OVER:
                return
            await matches.set_status(session, number, status, reason, milliseconds_since_1970())
        channel = self._hub.find(number)
        if channel is not None:
            channel.publish("ended", ended_view(status, reason=reason))


def _last_turn(record: MatchRecord, replies: tuple[Reply, ...]) -> Turn:
    said = tuple(
        {
            "role": reply.role,
            "seconds": round(reply.seconds, 3),
            "legal": reply.num_legal,
            "fallback": reply.fallback,
            "thoughts": finite(dict(reply.thoughts)),
        }
        for reply in replies
    )
    return Turn(
        len(record.moves),
        record.moves[-1] if record.moves else (),
        record.states[-1],
        record.errors[-1],
        record.state_times[-1],
        said,
    )
