"""Reports on matches: the queue, and the process that makes each report."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from ggp.clock import milliseconds_since_1970
from ggp.errors import GgpError
from ggp.manager.config import Reported
from ggp.manager.domain.rights import is_closed
from ggp.manager.errors import BusyError, ConflictError, NotThereError
from ggp.manager.hosting.cores import Cores
from ggp.manager.hosting.match_table import MatchOrder
from ggp.manager.store import matches, reports
from ggp.manager.store.database import Database, UnavailableError
from ggp.manager.store.tables import OVER, Ending, Status
from ggp.processes import json_lines
from ggp.processes.children import end_process, start_module
from ggp.processes.priority import BACKGROUND, COMPUTING, set_priority
from ggp.processes.tasks import cancel
from ggp.report.match_line import settled_text
from ggp.report.match_report import Progress

MAX_BYTES: Final = 32 << 20
MAX_SECONDS: Final = 3600.0
"""Longest search time for all turns of a match. The amount of search is fixed. It takes about a
minute on an idle machine, and ten minutes next to searches on all cores. A report that was cut
short says so."""
START_SECONDS: Final = 900.0
"""Longest time for preparation: reading the rules, and compiling kernels once after an install."""

_log = logging.getLogger(__name__)

MAX_WAITING: Final = 100
MAX_WAITING_OF_STUDENT: Final = 3
"""Largest number of waiting reports of one student, because other reports queue behind them."""
PATIENCE_SECONDS: Final = 600.0
CORE_SECONDS: Final = 60.0
"""Seconds after which a report begins even if matches have all cores."""
REST_SECONDS: Final = 2.0
"""Seconds until the queue is read again after the database failed."""
FAULT: Final = "internal error; see the log"
OTHERS_FIRST: Final = "other reports come first"
NO_CORE: Final = (
    f"matches have all cores; the report begins when one is free, or after {CORE_SECONDS:.0f} s"
)
PREPARING: Final = (
    "preparing rules and search; after an install the search is compiled once, which takes a "
    "minute, or longer while matches are running"
)
SLOWLY: Final = "matches have all cores, so the report makes slow progress"


class ReportError(GgpError):
    """There is no report on a match. The message is the reason."""


@dataclass(frozen=True, slots=True)
class ReportOrder:
    """A match to report on."""

    name: str
    rules: str
    moves: Sequence[Sequence[str]]
    errors: Sequence[Sequence[str]] = ()
    """The errors of each turn, as in the record."""
    settled: str = ""
    """How people ended the match before its rules did, in words. Empty if they did not."""

    @property
    def seconds(self) -> float:
        """Longest search time per turn."""
        return MAX_SECONDS / max(1, len(self.moves))

    @property
    def most_seconds(self) -> float:
        """Time after which the process counts as failed."""
        return START_SECONDS + 2 * MAX_SECONDS


async def made_report(
    order: ReportOrder, progress: Progress, wanted: asyncio.Event
) -> dict[str, Any]:
    """Make the report on a match in another process, and return it as JSON.

    Cancelling the call ends the process.

    Args:
        wanted: Set when matches need the cores. Then the priority of the report's process is
            lowered. The process still gets some time, so that the report is finished even if there
            are always matches.
    """
    try:
        process = await start_module(
            "ggp.report", stderr=asyncio.subprocess.DEVNULL, limit=MAX_BYTES, niceness=COMPUTING
        )
    except OSError as error:
        raise ReportError(f"cannot start a process for the report: {error}") from error
    is_ready = asyncio.Event()
    giving_way = asyncio.create_task(_give_way(process.pid, is_ready, wanted))

    def note(done: int, total: int) -> None:
        is_ready.set()
        progress(done, total)

    try:
        async with asyncio.timeout(order.most_seconds):
            return await _exchange(process, order, note)
    except TimeoutError:
        raise ReportError(f"the report took longer than {order.most_seconds:.0f} s") from None
    finally:
        await cancel(giving_way)
        await end_process(process)


async def _give_way(pid: int, is_ready: asyncio.Event, wanted: asyncio.Event) -> None:
    """Lower the priority of the report's process once it is ready and others want the cores.

    The priority stays low, because most users are not allowed to raise it again.
    """
    await is_ready.wait()  # until then, it may compile kernels that searches need as well
    await wanted.wait()
    set_priority(pid, BACKGROUND)


async def _exchange(
    process: asyncio.subprocess.Process, order: ReportOrder, progress: Progress
) -> dict[str, Any]:
    assert process.stdin is not None
    assert process.stdout is not None
    await json_lines.ask(process.stdin, {**asdict(order), "seconds": order.seconds})
    try:
        while True:
            found = await json_lines.answer(process.stdout)
            if "error" in found:
                raise ReportError(found["error"])
            if "report" in found:
                report: dict[str, Any] = found["report"]
                return report
            progress(found["done"], found["of"])
    except EOFError:
        raise ReportError("the process that made the report ended without an answer") from None
    except (OSError, ValueError) as error:  # ValueError: a line that is too long
        raise ReportError(f"the report could not be read: {error}") from error


@dataclass(frozen=True, slots=True)
class ReportState:
    """The state of a requested report: `done` of `total` positions. `total` is 0 until known."""

    status: Status
    why: str = ""
    """Why the report waits or is slow. Empty if it does neither."""
    done: int = 0
    total: int = 0
    content: dict[str, Any] | None = None


Make = Callable[[ReportOrder, Progress, asyncio.Event], Awaitable[dict[str, Any]]]
"""A function that makes a report. The event is set while matches use all cores."""


class Reports:
    """The queue of reports. It is kept in the database, so that it survives a restart.

    A report begins when there is a core that no match has or waits for, or else after a while. When
    matches need all cores, the report continues with low priority. So it finishes even if there are
    always matches, and it hardly slows their players down.
    """

    def __init__(
        self,
        database: Database,
        cores: Cores,
        make: Make = made_report,
        unasked: Reported = "asked",
        core_seconds: float = CORE_SECONDS,
    ) -> None:
        """Create the queue. It makes no reports until `start` is called.

        Args:
            unasked: Which matches get a report automatically.
            core_seconds: Seconds after which a report begins even without a free core.
        """
        self._core_seconds = core_seconds
        self._unasked = unasked
        self._database = database
        self._cores = cores
        self._make = make
        self._asked = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._next = self._running = 0
        self._students: dict[int, int] = {}
        """The students who requested the waiting reports, by match. A restart clears this."""
        self._is_preparing = False
        self._progress = (0, 0)

    def start(self) -> None:
        """Start making the requested reports."""
        self._asked.set()
        self._task = asyncio.create_task(self._work(), name="reports")

    async def close(self) -> None:
        """Stop. The next start continues with the unfinished reports."""
        await cancel(self._task)

    async def ask(self, number: int, student: int | None = None) -> ReportState:
        """Request the report on a match, and return its state.

        Args:
            student: The account of the student who requests the report. Students have a limit on
                waiting reports. None for other callers.
        """
        async with self._database.writing() as session:
            match = await matches.find(session, number)
            if match.status not in OVER:
                raise ConflictError(
                    f"match {number} is {match.status}; a report can be requested when it is over"
                )
            if is_closed(match):
                raise ConflictError(
                    f"match {number} was aborted, and its people have not agreed to show it"
                )
            if not match.num_turns:
                raise ConflictError(f"match {number} has no turns to report on")
            waiting = await reports.waiting(session)
            if number not in waiting:
                self._check_room(waiting, student)
            row = await reports.ask(session, number, milliseconds_since_1970())
            if student is not None and row.status == Status.WAITING:
                self._students.setdefault(number, student)
        self._asked.set()
        return await self.state(number)

    def _check_room(self, waiting: Sequence[int], student: int | None) -> None:
        if len(waiting) >= MAX_WAITING:
            raise BusyError(f"{MAX_WAITING} reports are waiting; try again later")
        own = [one for one in waiting if self._students.get(one) == student]
        if student is not None and len(own) >= MAX_WAITING_OF_STUDENT:
            raise ConflictError(
                f"{len(own)} of your reports are waiting "
                f"(match {', '.join(map(str, own))}); wait until one is finished"
            )

    async def follow(self, number: int, order: MatchOrder) -> None:
        """Request the report on a finished match if matches of its kind get one automatically."""
        if self._unasked == "all" or (self._unasked == "people" and order.people):
            with contextlib.suppress(GgpError):  # people can still request the report
                await self.ask(number)

    async def state(self, number: int) -> ReportState:
        """Return the state of the report on a match."""
        async with self._database.reading() as session:
            await matches.find(session, number)
            row = await reports.find(session, number)
        if row is None:
            raise NotThereError(f"there is no report on match {number} yet; request it with POST")
        if row.status == Status.ABORTED:
            raise NotThereError(f"there is no report on match {number}: {row.reason}")
        if row.status == Status.COMPLETED:
            total = len(row.content["worths"])
            return ReportState(Status.COMPLETED, "", total, total, row.content)
        is_spare = self._cores.free_core.is_set()
        if self._running == number:
            why = PREPARING if self._is_preparing else "" if is_spare else SLOWLY
            return ReportState(Status.RUNNING, why, *self._progress)
        if self._next not in {0, number}:
            return ReportState(Status.WAITING, OTHERS_FIRST)
        return ReportState(Status.WAITING, "" if is_spare else NO_CORE)

    async def _work(self) -> None:
        while True:
            await self._asked.wait()
            self._asked.clear()
            try:
                while waiting := await self._database.read(reports.waiting):
                    await self._report(waiting[0])
                    self._students.pop(waiting[0], None)
            except UnavailableError:
                await asyncio.sleep(REST_SECONDS)
                self._asked.set()

    async def _report(self, number: int) -> None:
        async with self._database.reading() as session:
            match = await matches.find(session, number, with_rules=True)
            moves = await matches.moves_of(session, number, match.num_turns)
            errors = await matches.errors_of(session, number, match.num_turns)
        is_settled = match.goals is not None and match.ending not in {"", Ending.RULES}
        settled = settled_text(match.goals or (), match.reason) if is_settled else ""
        order = ReportOrder(match.game, match.rulesheet.text, moves, errors, settled)
        try:
            content = await self._made(number, order)
        except ReportError as error:
            await self._give_up(number, str(error))
        except Exception as error:  # noqa: BLE001  # the outermost edge: other reports continue
            _log.error("the report on match %d failed", number, exc_info=error)
            await self._give_up(number, FAULT)
        else:
            await self._database.keep(PATIENCE_SECONDS, reports.complete, number, content)

    async def _made(self, number: int, order: ReportOrder) -> dict[str, Any]:
        self._next, self._progress = number, (0, len(order.moves) + 1)
        try:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(self._core_seconds):
                    await self._cores.free_core.wait()
            self._running, self._is_preparing = number, True
            return await self._make(order, self._note, self._cores.wanted)
        finally:
            self._next = self._running = 0

    def _note(self, done: int, total: int) -> None:
        self._is_preparing = False
        self._progress = (done, total)

    async def _give_up(self, number: int, reason: str) -> None:
        await self._database.keep(PATIENCE_SECONDS, reports.give_up, number, reason)
