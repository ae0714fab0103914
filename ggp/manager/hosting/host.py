"""The host of matches: it runs them, stores each turn and publishes it.

A turn is in the database before the next one begins. If it cannot be stored, for example because
the disk is full, the match waits. A match that was interrupted, for example because the manager
died, continues after its last turn. If a player at an address no longer knows the match, the match
begins again.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

import gdl
from ggp.cluster.connection import ClusterError
from ggp.errors import GgpError, shortage
from ggp.manager.domain.matches import BranchPlan, MatchMaker, MatchPlan
from ggp.manager.domain.people import Settlement, is_at_stake, out_of_time
from ggp.manager.domain.rights import Right, rights_of, sights_of
from ggp.manager.errors import ConflictError
from ggp.manager.hosting.cores import Cores, IdleCores, TakenCores
from ggp.manager.hosting.live import Hub
from ggp.manager.hosting.match_cluster import MatchCluster, goes_anywhere
from ggp.manager.hosting.match_end import END_SECONDS, MAX_REASON, NOT_RUNNING, MatchEnd, MatchEnds
from ggp.manager.hosting.match_log import AnswerCounts, MatchLog
from ggp.manager.hosting.match_table import MatchOrder, MatchTables, SeatOrder
from ggp.manager.hosting.match_writer import MatchWriter, turn_of
from ggp.manager.hosting.page_seat import NoShowError, PersonAwayError, TimeUpError
from ggp.manager.hosting.people import MatchPeople
from ggp.manager.store import accounts, attempts, matches
from ggp.manager.store.database import Database, UnavailableError
from ggp.manager.store.tables import OVER, MatchRow, Status
from ggp.match.errors import AdjournedError, ForgottenError
from ggp.match.events import Answered, Asked, Began, Ended, Event, Moved, TakenBack
from ggp.match.referee import Referee
from ggp.processes.tasks import cancel
from ggp.records.record import MatchRecord

_log = logging.getLogger(__name__)

MAX_NAMED = 5  # number of matches to name in a reason
SHORTEST_REST, LONGEST_REST = 0.5, 30.0
"""Seconds until a match is resumed after this machine ran out of a resource. They double each time,
from the shortest to the longest."""


@dataclass(frozen=True, slots=True)
class Venues:
    """The tables, cores and cluster with which matches are held."""

    tables: MatchTables
    """The tables of the matches that this process holds."""
    cores: Cores
    """The cores of this machine, for the players of the matches that it holds."""
    cluster: MatchCluster | None
    """The cluster, which holds all matches that do not depend on this machine, or None."""


class MatchHost:
    """The runner of matches. Each match has its own task, so that a failure affects no other match.

    Attributes:
        counts: Counts of the answers in the turns that were played.
    """

    def __init__(
        self,
        database: Database,
        matchmaker: MatchMaker,
        hub: Hub,
        venues: Venues,
        max_bytes: int,
        when_played: Callable[[int, MatchOrder], Awaitable[None]],
    ) -> None:
        """Create the host. It calls `when_played` whenever a match is completed."""
        self._when_played = when_played
        self._database = database
        self._matchmaker = matchmaker
        self._hub = hub
        self._tables = venues.tables
        self._people = venues.tables.people
        self._cores = venues.cores
        self._cluster = venues.cluster
        self._max_bytes = max_bytes
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._ends = MatchEnds(database, hub, self.is_running)
        self._settled: dict[int, Settlement] = {}
        """Settlements that are in progress, by match."""
        self._orphans: set[int] = set()
        self._is_closing = False
        self.counts = AnswerCounts()

    async def set_up(self, plan: MatchPlan) -> int:
        """Store a match and return its number. The match starts as soon as there are cores."""
        number = await self._matchmaker.write_down(plan)
        self.start(number)
        return number

    async def branch_off(self, number: int, plan: BranchPlan) -> int:
        """Set up a match that begins in a position of match `number`, and return its number."""
        new = await self._matchmaker.branch_off(number, plan)
        self.start(new)
        return new

    async def resume(self, number: int) -> None:
        """Resume an interrupted match, or one that is marked as running but has no task."""
        match = await self._database.read(matches.find, number)
        if match.status in OVER or self.is_running(number):
            raise ConflictError(
                f"match {number} is {match.status}; only an interrupted match can be resumed"
            )
        self.start(number)

    def start(self, number: int) -> asyncio.Task[None]:
        """Run a match that is new or was interrupted. Return the task that runs it."""
        task = self._tasks.get(number)
        if task is None:
            if self._is_closing:
                raise ConflictError("the manager is shutting down, so it starts no match")
            self._ends.forget(number)
            self._hub.open(number)  # open it now, so that clients miss nothing
            task = asyncio.create_task(self._run(number), name=f"match {number}")
            self._tasks[number] = task
            task.add_done_callback(lambda _: self._forget(number))
        return task

    async def abort(self, number: int) -> None:
        """Abort a match, and send ABORT to its players."""
        await cancel(self._tasks.get(number))
        # A task that was cancelled before it started has stored nothing.
        await self._ends.end(number, MatchEnd(Status.ABORTED, "by hand"))
        self._ends.check_stored(number, "is aborted")

    async def settle(self, number: int, settlement: Settlement) -> None:
        """End a match with the result on which its people settled. Send ABORT to its players.

        Raises:
            ConflictError: The match has meanwhile ended in another way.
        """
        self._settled[number] = settlement
        try:
            await cancel(self._tasks.get(number))
            await self._ends.end(number, MatchEnd.settled(settlement))
        finally:
            del self._settled[number]
        self._ends.check_stored(number, "is over")
        match = await self._database.read(matches.find, number, with_rules=True)
        if match.ending != settlement.ending:
            raise ConflictError(f"match {number} is over: {match.status}")
        await self._when_played(number, MatchOrder.of(match))

    def is_running(self, number: int) -> bool:
        """Return whether a match is running or waiting for cores."""
        return number in self._tasks

    def why(self, match: MatchRow) -> str:
        """Return in words why a match waits or has ended, or "" if there is no reason."""
        own = self._cores.holder_of(match.owner_id)
        if match.status == Status.WAITING and own not in {None, match.id}:
            return (
                f"queued: match {own} of this account is running, and each account runs one match "
                "at a time"
            )
        holders = sorted(self._cores.holders)
        if match.reason or match.status != Status.WAITING or not holders or match.id in holders:
            return match.reason
        named = ", ".join(map(str, holders[:MAX_NAMED]))
        return f"queued until cores are free; matches with cores: {named}"

    async def close(self) -> None:
        """Interrupt all matches, so that they can be resumed later."""
        self._is_closing = True
        await cancel(*self._tasks.values())

    async def look_after(self) -> None:
        """Store the pending ends of matches, and interrupt orphans: matches without a task.

        Interrupt an orphan only if the previous check found it too, because a match that was just
        set up may be about to start.
        """
        await self._ends.store_pending()
        async with self._database.reading() as session:
            orphans = {n for n in await matches.open_numbers(session) if n not in self._tasks}
        for number in orphans & self._orphans:
            await self._ends.end(number, MatchEnd(Status.INTERRUPTED, NOT_RUNNING))
        self._orphans = orphans

    def _forget(self, number: int) -> None:
        self._tasks.pop(number, None)
        self._hub.close(number)

    async def _run(self, number: int) -> None:
        rest = SHORTEST_REST
        while (what := await self._run_once(number)) and not self._is_closing:
            _log.warning("match %d pauses: %s", number, what)
            try:
                await self._set_waiting(number, what)
                await asyncio.sleep(rest)
            except asyncio.CancelledError:
                await asyncio.shield(self._write_cancelled(number))
                raise
            rest = min(2 * rest, LONGEST_REST)

    async def _run_once(self, number: int) -> str:
        """Run a match until it ends or has to pause. Return why it pauses, or "" if it is over."""
        people: MatchPeople | None = None
        try:
            match = await self._database.read(matches.find, number, with_rules=True)
            people = self._people.of(match)
            record = await self._record(number)
            sights = sights_of(match)
            self._hub.open(number).settle(is_whole=record is None, hides=bool(sights))
            order = MatchOrder.of(match)
            writer = MatchWriter(
                *(self._database, self._hub, MatchLog.of(match), self._max_bytes, sights),
                partial(self.counts.played, match.playclock),
            )
            writer.go_on(record)
            self._tables.check(order)
            try:
                await self._hold(match, order, record, writer, people)
            except ForgottenError as error:
                if order.people or match.origin is not None:
                    raise
                _log.warning("match %d begins again: %s", number, error)
                await writer.begin_anew()
                await self._hold(match, order, None, writer, people)
            await self._when_played(number, order)
        except asyncio.CancelledError:
            await asyncio.shield(self._write_cancelled(number))
            raise
        except Exception as error:  # noqa: BLE001  # the outermost edge: other matches continue
            if what := shortage(error):
                return f"this machine has run out of resources ({what})"
            if isinstance(error, ClusterError):
                return str(error)
            late = await self._out_of_time(match, people, error)
            if late:
                await self._ends.end(number, MatchEnd.settled(out_of_time(match, late)))
                await self._when_played(number, order)
            else:
                await self._write_failed(number, error)
        finally:
            if people is not None:
                people.end_turn()
        return ""

    async def _hold(
        self,
        match: MatchRow,
        order: MatchOrder,
        record: MatchRecord | None,
        writer: MatchWriter,
        people: MatchPeople | None,
    ) -> None:
        """Hold a match to its end. Use the cluster if the match does not depend on this machine."""
        # A branched match stays on this machine. Another machine would begin it again, from the
        # game's first position.
        is_whole = match.origin is None
        if self._cluster is not None and is_whole and goes_anywhere(order):
            await self._cluster.hold(
                *(order, record, writer),
                lambda: self._record(writer.number),
                lambda: self._is_closing,
            )
            return
        taken = self._cores.taken(
            order.num_searching,
            at_once=bool(order.people),
            match=writer.number,
            account=await self._bound_account(match),
        )
        async with taken as cores:
            await self._referee(order, record, writer, people, cores)

    async def _out_of_time(
        self, match: MatchRow, people: MatchPeople | None, error: Exception
    ) -> set[str]:
        """Return the roles that lost on time.

        Without a clock, a person who stays away loses only if a result is at stake. A person who
        makes no first move loses only a match of a tournament.
        """
        if isinstance(error, TimeUpError) and people is not None:
            return people.out_of_time
        if isinstance(error, NoShowError) and match.tournament_id is not None:
            return {error.role}
        if isinstance(error, PersonAwayError) and await self._database.read(is_at_stake, match):
            return {error.role}
        return set()

    async def _record(self, number: int) -> MatchRecord | None:
        record = await self._database.read(matches.record_of, number)
        return record if record.states else None

    async def _write_cancelled(self, number: int) -> None:
        if number in self._settled:
            await self._ends.end(number, MatchEnd.settled(self._settled[number]))
        elif self._is_closing:
            await self._ends.end(number, MatchEnd(Status.INTERRUPTED, "the manager stopped"))
        else:
            await self._ends.end(number, MatchEnd(Status.ABORTED, "by hand"))

    async def _write_failed(self, number: int, error: Exception) -> None:
        if isinstance(error, AdjournedError):
            await self._ends.end(number, MatchEnd(Status.INTERRUPTED, str(error)))
        elif isinstance(error, GgpError | gdl.GdlError):
            await self._ends.end(number, MatchEnd(Status.ABORTED, str(error)))
        else:
            _log.error("match %d failed", number, exc_info=error)
            reason = f"internal error: {type(error).__name__}"
            await self._ends.end(number, MatchEnd(Status.ABORTED, reason))

    async def _set_waiting(self, number: int, what: str) -> None:
        reason = f"{what}; the match continues automatically"[:MAX_REASON]
        with contextlib.suppress(UnavailableError):  # the match continues anyway
            await self._database.write(matches.set_status, number, Status.WAITING, reason)
        self._hub.open(number).publish("status", {"status": Status.WAITING.value})

    async def _bound_account(self, match: MatchRow) -> int | None:
        """Return the owner of the match, if only one match of the owner may have cores at a time.

        This holds for students and their teams. Return None for matches of tournaments, lecturers
        and hosts, and for matches without an owner.
        """
        if match.owner_id is None or match.tournament_id is not None:
            return None
        owner = await self._database.read(accounts.find, match.owner_id)
        return None if Right.HOLD in rights_of(owner.role) else owner.id

    async def _referee(
        self,
        order: MatchOrder,
        record: MatchRecord | None,
        writer: MatchWriter,
        people: MatchPeople | None,
        cores: TakenCores,
    ) -> None:
        await writer.set_status(Status.RUNNING)
        idle = IdleCores(cores, order.playclock)
        async with self._tables.open(writer.number, order) as table:
            setup = order.setup(table, will_go_on=lambda: self._is_closing)
            keep = _observer(writer, people, order.playclock)

            async def observe(event: Event) -> None:
                if order.people:
                    idle.see(event)
                if isinstance(event, Ended):
                    await self._write_attempts(writer.number, table.attempts(order))
                await keep(event)

            with idle.watching():
                await Referee(setup, table.seats, observe, record).run()

    async def _write_attempts(
        self, number: int, found: Sequence[tuple[SeatOrder, Sequence[str]]]
    ) -> None:
        for seat, tried in found:
            _log.warning(
                "match %d: %s attempted forbidden actions, which were blocked: %s",
                number,
                seat.name,
                ", ".join(tried),
            )
            with contextlib.suppress(UnavailableError):  # the log has the attempts
                await self._database.keep(END_SECONDS, attempts.add, number, seat.role_index, tried)


def _observer(
    writer: MatchWriter, people: MatchPeople | None, playclock: int
) -> Callable[[Event], Awaitable[None]]:
    async def keep(event: Event) -> None:
        if people is not None:
            _tell(people, event, playclock)
        if isinstance(event, Began | Moved):
            await writer.write(turn_of(event))
        elif isinstance(event, TakenBack):
            await writer.take_back(len(event.record.moves))
        elif isinstance(event, Ended) and event.record.is_completed:
            assert event.record.goals is not None
            await writer.complete(event.record.goals)

    return keep


def _tell(people: MatchPeople, event: Event, playclock: int) -> None:
    if isinstance(event, Asked):
        programs = [role for role in event.deciding if people.is_program(role)]
        people.begin_turn(event.turn, programs, playclock)
    elif isinstance(event, Answered):
        people.answered(event.role)
    elif isinstance(event, Moved | TakenBack):
        people.end_turn()
