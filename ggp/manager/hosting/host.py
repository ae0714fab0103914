"""The host of matches: runs those that are set up, writes each turn down and publishes it.

A turn is in the database before the next one begins: as long as it cannot be written, because the
disk is full say, the match waits. A match that was interrupted, by the death of the manager say,
goes on where its last turn ended.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from typing import TypeVar

import gdl
from ggp.clock import milliseconds_since_1970
from ggp.errors import GgpError, shortage
from ggp.manager.domain.matches import MatchMaker, MatchPlan
from ggp.manager.errors import ConflictError
from ggp.manager.hosting.cores import Cores
from ggp.manager.hosting.live import Hub, outcome
from ggp.manager.hosting.match_table import MatchTables, has_person, num_searching
from ggp.manager.store import matches
from ggp.manager.store.database import Database, Session, UnavailableError, finite
from ggp.manager.store.matches import PlayedTurn
from ggp.manager.store.tables import OVER, MatchRow, Status
from ggp.match.errors import AdjournedError, MatchError
from ggp.match.events import Began, Ended, Event, Moved, Reply, TakenBack
from ggp.match.referee import MatchSetup, Referee
from ggp.records.record import MatchRecord

_log = logging.getLogger(__name__)

T = TypeVar("T")
MAX_REASON = 500
"""Characters."""
PATIENCE_SECONDS = 600.0
"""Longest wait of a match for a turn to be written; then it rests."""
END_SECONDS = 2.0
"""Longest wait of somebody who ends a match until that is written."""
NOBODY = "nobody ran it any more"
SHORTEST_REST, LONGEST_REST = 0.5, 30.0
"""Seconds until a match is taken up again that rests because this process has run short."""


class MatchHost:
    """Runs matches, each in a task of its own; a bad one never harms another."""

    def __init__(
        self,
        database: Database,
        matchmaker: MatchMaker,
        hub: Hub,
        tables: MatchTables,
        cores: Cores,
        max_bytes: int,
    ) -> None:
        """Take what matches are run with; `max_bytes` is how much of a match is kept."""
        self._database = database
        self._matchmaker = matchmaker
        self._hub = hub
        self._tables = tables
        self._cores = cores
        self._max_bytes = max_bytes
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._owed: dict[int, tuple[Status, str]] = {}
        """Endings of matches that could not be written yet."""
        self._strays: set[int] = set()
        self._is_closing = False

    async def set_up(self, plan: MatchPlan) -> int:
        """Write a match down and let it begin as soon as there are cores; its number.

        Raises:
            GgpError: There is no such game or player, they do not fit, or too many matches wait.
        """
        number = await self._matchmaker.write_down(plan)
        self.start(number)
        return number

    async def resume(self, number: int) -> None:
        """Let an interrupted match go on, or one that says it runs and does not.

        Raises:
            ConflictError: It runs, or is over.
            UnknownMatchError: There is none of this number.
        """
        async with self._database.reading() as session:
            match = await matches.find(session, number)
        if match.status in OVER or self.is_running(number):
            raise ConflictError(f"match {number} is {match.status}; expected an interrupted one")
        self.start(number)

    def start(self, number: int) -> asyncio.Task[None]:
        """Run a match that is set up or was interrupted; the task ends when the match has.

        Raises:
            ConflictError: The manager is about to stop.
        """
        task = self._tasks.get(number)
        if task is None:
            if self._is_closing:
                raise ConflictError("the manager is about to stop")
            self._owed.pop(number, None)
            self._hub.open(number)  # at once: who asks for the match now shall see it all
            task = asyncio.create_task(self._run(number), name=f"match {number}")
            self._tasks[number] = task
            task.add_done_callback(lambda _: self._forget(number))
        return task

    async def abort(self, number: int) -> None:
        """Break a match off; its players are sent ABORT.

        Raises:
            UnavailableError: That cannot be written yet; it will be as soon as it can.
        """
        task = self._tasks.get(number)
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        # A task that was cancelled before it began has written nothing.
        await self._end(number, Status.ABORTED, "by hand")
        if number in self._owed:
            raise UnavailableError(
                f"match {number} is broken off; this is written down as soon as the database "
                "can be written"
            )

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

    async def look_after(self) -> None:
        """Write down how matches ended where that is owed, and see to matches that nobody runs.

        Those are interrupted when they are seen for the second time: a match that is just set up
        may be started any moment.

        Raises:
            UnavailableError: The database cannot be used now.
        """
        for number, (status, reason) in list(self._owed.items()):
            await self._write_end(number, status, reason)
        async with self._database.reading() as session:
            strays = {n for n in await matches.open_numbers(session) if n not in self._tasks}
        for number in strays & self._strays:
            await self._write_end(number, Status.INTERRUPTED, NOBODY)
        self._strays = strays

    def _forget(self, number: int) -> None:
        self._tasks.pop(number, None)
        self._hub.close(number)

    async def _run(self, number: int) -> None:
        """Play a match to its end, however often this process runs out of something meanwhile."""
        rest = SHORTEST_REST
        while (what := await self._run_once(number)) and not self._is_closing:
            _log.warning("match %d rests: this machine has run short (%s)", number, what)
            try:
                await self._set_waiting(number, what)
                await asyncio.sleep(rest)
            except asyncio.CancelledError:
                await asyncio.shield(self._write_cancelled(number))
                raise
            rest = min(2 * rest, LONGEST_REST)

    async def _run_once(self, number: int) -> str:
        """Play a match on from where it is; what this process ran out of, or nothing."""
        try:
            async with self._database.reading() as session:
                match = await matches.find(session, number, with_rules=True)
                record = await matches.record_of(session, number) if match.has_begun else None
            self._hub.open(number).settle(is_whole=not match.has_begun)
            async with self._cores.taken(num_searching(match), at_once=has_person(match)):
                await self._referee(match, record)
        except asyncio.CancelledError:
            await asyncio.shield(self._write_cancelled(number))
            raise
        except Exception as error:  # noqa: BLE001  # the outermost edge: others play on
            if what := shortage(error):
                return what
            await self._write_failed(number, error)
        return ""

    async def _write_cancelled(self, number: int) -> None:
        if self._is_closing:
            await self._end(number, Status.INTERRUPTED, "the manager stopped")
        else:
            await self._end(number, Status.ABORTED, "by hand")

    async def _write_failed(self, number: int, error: Exception) -> None:
        if isinstance(error, AdjournedError):
            await self._end(number, Status.INTERRUPTED, str(error))
        elif isinstance(error, GgpError | gdl.GdlError):
            await self._end(number, Status.ABORTED, str(error))
        else:
            _log.error("match %d failed", number, exc_info=error)
            await self._end(number, Status.ABORTED, f"internal error: {type(error).__name__}")

    async def _set_waiting(self, number: int, what: str) -> None:
        reason = f"this machine has run short ({what}); the match goes on by itself"
        with contextlib.suppress(UnavailableError):  # it goes on all the same
            await self._database.keep(
                lambda session: matches.set_status(session, number, Status.WAITING, reason), 0.0
            )
        self._hub.open(number).publish("status", {"status": Status.WAITING.value})

    async def _referee(self, match: MatchRow, record: MatchRecord | None) -> None:
        number = match.id
        await self._keep(lambda session: matches.set_status(session, number, Status.RUNNING))
        self._hub.open(number).publish("status", {"status": Status.RUNNING.value})
        async with self._tables.open(match) as table:
            setup = MatchSetup(
                match_id=match.match_id,
                rulebook=table.rulebook,
                rules=table.rules,
                startclock=match.startclock,
                playclock=match.playclock,
                move_limit=match.move_limit,
                seed=match.seed,
                unhurried=table.unhurried,
                epilog=table.epilog,
                will_go_on=lambda: self._is_closing,
            )
            observer = self._observer(number, _size_of(record))
            await Referee(setup, table.seats, observer, record).run()

    def _observer(self, number: int, size: int) -> Callable[[Event], Awaitable[None] | None]:
        async def keep(event: Event) -> None:
            nonlocal size
            if isinstance(event, Began | Moved):
                size += await self._write(number, event)
                if size > self._max_bytes:
                    raise MatchError(
                        f"turn {len(event.record.moves)} makes the match {size:,} bytes long; "
                        f"expected at most {self._max_bytes:,}"
                    )
            elif isinstance(event, TakenBack):
                await self._take_back(number, event)
            elif isinstance(event, Ended) and event.record.is_completed:
                await self._complete(number, event.record)

        return keep

    async def _write(self, number: int, event: Began | Moved) -> int:
        """Write a turn down and publish it; how many bytes it has."""
        replies = event.replies if isinstance(event, Moved) else ()
        turn = _last_turn(event.record, replies)
        is_new = await self._keep(lambda session: matches.add_turn(session, number, turn))
        if not is_new:  # a match that goes on begins with the turn that was its last
            return 0
        return self._hub.open(number).publish("turn", turn.fields(), turn.number)

    async def _take_back(self, number: int, event: TakenBack) -> None:
        last = len(event.record.moves)
        await self._keep(lambda session: matches.take_back(session, number, last))
        self._hub.open(number).take_back(last)

    async def _complete(self, number: int, record: MatchRecord) -> None:
        goals, now = record.goals, milliseconds_since_1970()
        assert goals is not None
        await self._keep(lambda session: matches.complete(session, number, goals, now))
        self._hub.open(number).publish("ended", outcome(Status.COMPLETED, goals))

    async def _keep(self, change: Callable[[Session], Awaitable[T]]) -> T:
        return await self._database.keep(change, PATIENCE_SECONDS)

    async def _end(self, number: int, status: Status, reason: str) -> None:
        """Write down why a match does not go on, now or later; one that is over stays as it is."""
        reason = reason[:MAX_REASON]
        try:
            is_published = await self._write_end(number, status, reason, END_SECONDS)
        except UnavailableError:
            self._owed.setdefault(number, (status, reason))
            is_published = True
        channel = self._hub.find(number)
        if is_published and channel is not None:
            channel.publish("ended", outcome(status, reason=reason))

    async def _write_end(
        self, number: int, status: Status, reason: str, seconds: float = 0.0
    ) -> bool:
        """Write it down; whether the match was not over before."""

        async def change(session: Session) -> bool:
            match = await matches.find(session, number)
            is_taken_up = reason == NOBODY and number in self._tasks
            if match.status in OVER or is_taken_up:
                return False
            await matches.set_status(session, number, status, reason, milliseconds_since_1970())
            return True

        is_new = await self._database.keep(change, seconds)
        self._owed.pop(number, None)
        return is_new


def _size_of(record: MatchRecord | None) -> int:
    """Number of bytes of a match that are written down already."""
    states, moves = (record.states, record.moves) if record else ((), ())
    return sum(len(text) for row in (*states, *moves) for text in row)


def _last_turn(record: MatchRecord, replies: tuple[Reply, ...]) -> PlayedTurn:
    answers = tuple(
        {
            "role": reply.role,
            "seconds": round(reply.seconds, 3),
            "legal": reply.num_legal,
            "fallback": reply.fallback,
            "thoughts": finite(dict(reply.thoughts)),
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
    )
