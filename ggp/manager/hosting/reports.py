"""Reports on matches that are over: made one after the other, where no match needs the core."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final

from ggp.clock import milliseconds_since_1970
from ggp.errors import GgpError
from ggp.manager.config import Reported
from ggp.manager.errors import BusyError, ConflictError, NotThereError
from ggp.manager.hosting.cores import Cores
from ggp.manager.hosting.match_order import MatchOrder
from ggp.manager.hosting.report_process import (
    Progress,
    ReportError,
    ReportOrder,
    made_report,
)
from ggp.manager.store import matches, reports
from ggp.manager.store.database import Database, UnavailableError
from ggp.manager.store.tables import OVER, Status

_log = logging.getLogger(__name__)

MAX_WAITING: Final = 100
PATIENCE_SECONDS: Final = 600.0
"""Longest wait for a report to be written."""
REST_SECONDS: Final = 2.0
"""Until what could not be read is looked at again."""
FAULT: Final = "the program made a mistake; its log has more"


@dataclass(frozen=True, slots=True)
class ReportState:
    """How a report that somebody asked for stands.

    Attributes:
        status: `waiting`, `running` or `completed`.
        done: Positions that were looked at.
        total: Positions that there are; 0 as long as that is not known.
        content: The report, when it is made.
    """

    status: Status
    done: int = 0
    total: int = 0
    content: dict[str, Any] | None = None


class Reports:
    """The queue of the reports; what waits is in the database, and goes on after a restart.

    A report is begun when there is a core that no match has or waits for. When there is none any
    more, it is broken off and begun anew later: half an analysis would say too little.
    """

    def __init__(
        self,
        database: Database,
        cores: Cores,
        make: Callable[[ReportOrder, Progress], Awaitable[dict[str, Any]]] = made_report,
        unasked: Reported = "asked",
    ) -> None:
        """Take what is needed.

        Args:
            database: Where matches and reports are.
            cores: Of this machine.
            make: Makes a report.
            unasked: The matches on which reports are made without anybody asking.
        """
        self._unasked = unasked
        self._database = database
        self._cores = cores
        self._make = make
        self._asked = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._running = 0
        self._progress = (0, 0)

    def start(self) -> None:
        """Make what was asked for, from now on."""
        self._asked.set()
        self._task = asyncio.create_task(self._work(), name="reports")

    async def close(self) -> None:
        """Make no more; what is not made waits for the next start."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)

    async def ask(self, number: int) -> ReportState:
        """Ask for the report on a match; how it stands.

        Raises:
            BusyError: Too many were asked for.
            ConflictError: The match is not over, or nothing happened in it.
            UnknownMatchError: There is no such match.
        """
        async with self._database.writing() as session:
            match = await matches.find(session, number)
            if match.status not in OVER:
                raise ConflictError(
                    f"match {number} is {match.status}; expected one that is over for a report"
                )
            if not match.num_turns:
                raise ConflictError(f"match {number} has no turns to report on")
            if await reports.num_waiting(session) >= MAX_WAITING:
                raise BusyError(f"{MAX_WAITING} reports wait; ask again later")
            await reports.ask(session, number, milliseconds_since_1970())
        self._asked.set()
        return await self.state(number)

    async def follow(self, number: int, order: MatchOrder) -> None:
        """Ask for the report on a match that has been played, if that is to be done unasked."""
        if self._unasked == "all" or (self._unasked == "people" and order.people):
            with contextlib.suppress(GgpError):  # who wants it can ask for it
                await self.ask(number)

    async def state(self, number: int) -> ReportState:
        """How the report on a match stands.

        Raises:
            NotThereError: There is none: nobody asked, or it could not be made.
            UnknownMatchError: There is no such match.
        """
        async with self._database.reading() as session:
            await matches.find(session, number)
            row = await reports.find(session, number)
        if row is None:
            raise NotThereError(f"there is no report on match {number}; ask for it by POST")
        if row.status == Status.ABORTED:
            raise NotThereError(f"there is no report on match {number}: {row.reason}")
        if row.status == Status.COMPLETED:
            total = len(row.content["worths"])
            return ReportState(Status.COMPLETED, total, total, row.content)
        if self._running == number:
            return ReportState(Status.RUNNING, *self._progress)
        return ReportState(Status.WAITING)

    async def _work(self) -> None:
        while True:
            await self._asked.wait()
            self._asked.clear()
            try:
                while (number := await self._first_waiting()) is not None:
                    await self._report(number)
            except UnavailableError:
                await asyncio.sleep(REST_SECONDS)
                self._asked.set()

    async def _first_waiting(self) -> int | None:
        async with self._database.reading() as session:
            return await reports.first_waiting(session)

    async def _report(self, number: int) -> None:
        """Make a report and write it down, or why there is none."""
        async with self._database.reading() as session:
            match = await matches.find(session, number, with_rules=True)
            moves = await matches.moves_of(session, number, match.num_turns)
        order = ReportOrder(match.game, match.rulesheet.text, moves)
        try:
            content = await self._made(number, order)
        except ReportError as error:
            await self._give_up(number, str(error))
        except Exception as error:  # noqa: BLE001  # the outermost edge: others are made
            _log.error("the report on match %d failed", number, exc_info=error)
            await self._give_up(number, FAULT)
        else:
            await self._database.keep(
                lambda session: reports.complete(session, number, content), PATIENCE_SECONDS
            )

    async def _made(self, number: int, order: ReportOrder) -> dict[str, Any]:
        """The report, from the beginning as often as matches get in its way."""
        while True:
            await self._cores.spare.wait()
            self._running, self._progress = number, (0, len(order.moves) + 1)
            making = asyncio.ensure_future(self._make(order, self._note))
            wanted = asyncio.create_task(self._cores.wanted.wait())
            try:
                await asyncio.wait([making, wanted], return_when=asyncio.FIRST_COMPLETED)
                if making.done():
                    return making.result()
            finally:
                making.cancel()
                wanted.cancel()
                await asyncio.gather(making, wanted, return_exceptions=True)
                self._running, self._progress = 0, (0, 0)

    def _note(self, done: int, total: int) -> None:
        self._progress = (done, total)

    async def _give_up(self, number: int, reason: str) -> None:
        await self._database.keep(
            lambda session: reports.give_up(session, number, reason), PATIENCE_SECONDS
        )
