"""Reports on matches: one after the other, where no match needs the core, each in a process."""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from typing import Any

import pytest

from ggp import games
from ggp.manager.config import Reported
from ggp.manager.errors import ConflictError, NotThereError
from ggp.manager.hosting import reports as reports_module
from ggp.manager.hosting.cores import Cores
from ggp.manager.hosting.match_table import MatchOrder
from ggp.manager.hosting.reports import (
    MAX_WAITING_OF_STUDENT,
    NO_CORE,
    OTHERS_FIRST,
    PREPARING,
    SLOWLY,
    ReportError,
    ReportOrder,
    Reports,
    made_report,
)
from ggp.manager.service import ManagerService
from ggp.manager.store import matches
from ggp.manager.store.reports import waiting
from ggp.processes.children import start_module
from ggp.processes.priority import BACKGROUND, COMPUTING
from ggp.report.match_report import Progress
from tests.ggp.manager.desk import Home, desk, over, two, until_so, until_true

MOVES = [["(mark 1 1)", "noop"], ["noop", "(mark 1 2)"], ["(mark 1 1)", "noop"]]
"""The third is not legal any more."""
NEVER = asyncio.Event()
ORDER = ReportOrder("ticTacToe", games.text("ticTacToe"), MOVES)


class Maker:
    """Makes reports when it is let."""

    def __init__(self) -> None:
        self.begun: list[int] = []
        self.may_end = asyncio.Event()

    async def make(
        self, order: ReportOrder, progress: Progress, wanted: asyncio.Event
    ) -> dict[str, Any]:
        """The report, when it may end."""
        self.begun.append(len(order.moves))
        progress(1, 4)
        await self.may_end.wait()
        return {"worths": [{}] * 4}


async def played(service: ManagerService) -> int:
    """A match that is over; its number."""
    number = await service.host.set_up(two())
    await over(service, number)
    return number


async def made(reports: Reports, number: int) -> dict[str, Any]:
    """A report, when it is made."""
    await until_so(lambda: _is_made(reports, number))
    content = (await reports.state(number)).content
    assert content is not None
    return content


async def _is_made(reports: Reports, number: int) -> bool:
    return (await reports.state(number)).content is not None


async def test_they_are_made_one_after_the_other(home: Home) -> None:
    """In the order in which they were asked for; how far each is can be asked."""
    maker = Maker()
    async with desk(home) as (service, _):
        reports = Reports(service.database, Cores(1), maker.make)
        reports.start()
        first, second = await played(service), await played(service)
        for number in (first, second, first):
            await reports.ask(number)
        await until_true(lambda: maker.begun)
        states = [await reports.state(number) for number in (first, second)]
        maker.may_end.set()
        await made(reports, second)
        await reports.close()

    assert [(one.status, one.done, one.total) for one in states] == [
        ("running", 1, 4),
        ("waiting", 0, 0),
    ]
    assert len(maker.begun) == 2


async def test_a_student_lets_few_wait(home: Home) -> None:
    """Others' reports would come behind all of them; those that are made count no more."""
    maker, student = Maker(), 5
    async with desk(home) as (service, _):
        reports = Reports(service.database, Cores(1), maker.make)
        numbers = [await played(service) for _ in range(MAX_WAITING_OF_STUDENT + 1)]
        for number in numbers[:-1]:
            await reports.ask(number, student)
        await reports.ask(numbers[0], student)
        with pytest.raises(
            ConflictError, match=r"3 of your reports .* \(match 1, 2, 3\); wait until"
        ):
            await reports.ask(numbers[-1], student)
        await reports.ask(numbers[-1], student + 1)
        maker.may_end.set()
        reports.start()
        await made(reports, numbers[-1])
        await reports.ask(numbers[-1], student)
        await reports.close()


async def test_a_match_that_has_the_core_comes_first(home: Home) -> None:
    """For a while; what was begun goes on when a match takes the core again. Both are told."""
    maker, cores = Maker(), Cores(1)
    async with desk(home) as (service, _):
        reports = Reports(service.database, cores, maker.make)
        reports.start()
        first, second = await played(service), await played(service)
        async with cores.taken(1):
            await reports.ask(first)
            await reports.ask(second)
            await until_true(lambda: reports._next == first)
            states = [await reports.state(number) for number in (first, second)]
            assert maker.begun == []
        await until_true(lambda: len(maker.begun) == 1)
        states.append(await reports.state(first))
        async with cores.taken(1):
            states.append(await reports.state(first))
            maker.may_end.set()
            await made(reports, first)
        await made(reports, second)
        await reports.close()

    assert [(one.status, one.why) for one in states] == [
        ("waiting", NO_CORE),
        ("waiting", OTHERS_FIRST),
        ("running", ""),
        ("running", SLOWLY),
    ]
    assert len(maker.begun) == 2


async def test_it_is_said_that_it_is_being_made_ready(home: Home) -> None:
    """Until the process that makes it has told of a position, it may be compiling."""
    is_begun = asyncio.Event()

    async def compile_for_ever(*_: object) -> dict[str, Any]:
        is_begun.set()
        await asyncio.Event().wait()
        return {}

    async with desk(home) as (service, _):
        reports = Reports(service.database, Cores(1), compile_for_ever)
        reports.start()
        number = await played(service)
        await reports.ask(number)
        await is_begun.wait()
        state = await reports.state(number)
        await reports.close()

    assert (state.status, state.why) == ("running", PREPARING)


async def test_a_report_is_made_beside_a_match_that_never_ends(home: Home) -> None:
    """It is begun after a while, once."""
    maker, cores = Maker(), Cores(1)
    maker.may_end.set()
    async with desk(home) as (service, _):
        number = await played(service)
        reports = Reports(service.database, cores, maker.make, core_seconds=0.01)
        async with cores.taken(1):
            reports.start()
            await reports.ask(number)
            await made(reports, number)
        await reports.close()

    assert len(maker.begun) == 1


@pytest.mark.usefixtures("report_source")
async def test_a_process_gives_way_when_matches_have_all_cores(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Until then it has the weight of a search."""
    processes, niceness = list[asyncio.subprocess.Process](), list[int]()
    wanted = asyncio.Event()

    async def start(*arguments: Any, **options: Any) -> asyncio.subprocess.Process:
        processes.append(await start_module(*arguments, **options))
        return processes[0]

    def now() -> int:
        return os.getpriority(os.PRIO_PROCESS, processes[0].pid)

    monkeypatch.setattr(reports_module, "start_module", start)
    making = asyncio.create_task(made_report(ORDER, lambda *_: niceness.append(now()), wanted))
    await until_true(lambda: niceness)
    wanted.set()
    await until_true(lambda: making.done() or now() == BACKGROUND)

    assert niceness[0] == COMPUTING
    assert not making.done()
    making.cancel()
    with pytest.raises(asyncio.CancelledError):
        await making


async def test_what_was_asked_for_is_made_after_a_restart(home: Home) -> None:
    """It waits in the database."""
    maker = Maker()
    async with desk(home) as (service, _):
        reports = Reports(service.database, Cores(1), maker.make)
        reports.start()
        number = await played(service)
        await reports.ask(number)
        await until_true(lambda: maker.begun)
        await reports.close()
        maker.may_end.set()
        later = Reports(service.database, Cores(1), maker.make)
        later.start()
        content = await made(later, number)
        await later.close()

    assert content["worths"]


async def test_one_that_fails_says_why_and_the_next_is_made(home: Home) -> None:
    """It can be asked for again."""
    maker, fails = Maker(), [ReportError("too long"), ValueError("a fault of ours")]
    maker.may_end.set()

    async def make(order: ReportOrder, progress: Progress, wanted: asyncio.Event) -> dict[str, Any]:
        if fails:
            raise fails.pop(0)
        return await maker.make(order, progress, wanted)

    async with desk(home) as (service, _):
        reports = Reports(service.database, Cores(1), make)
        reports.start()
        numbers = [await played(service), await played(service), await played(service)]
        for number in numbers:
            await reports.ask(number)
        await made(reports, numbers[2])
        with pytest.raises(NotThereError, match="too long"):
            await reports.state(numbers[0])
        with pytest.raises(NotThereError, match="internal error; see the log"):
            await reports.state(numbers[1])
        await reports.ask(numbers[0])
        await made(reports, numbers[0])
        await reports.close()


@pytest.mark.usefixtures("report_source")
async def test_a_record_is_reported_up_to_a_wrong_move() -> None:
    """The turn and the move are named; a move made in a player's place has its mark."""
    told: list[tuple[int, int]] = []
    order = replace(ORDER, errors=[["", ""], ["TO", ""]])

    report = await made_report(order, lambda done, total: told.append((done, total)), NEVER)

    assert report["broken"].startswith("turn 3: (mark 1 1) is no legal move of xplayer")
    assert (report["turns"], told[0], told[-1]) == (2, (0, 3), (3, 3))
    assert [move["made_for"] for move in report["moves"]] == ["TO", None]
    assert [player["made_for"] for player in report["players"]] == [1, 0]


async def test_the_marks_of_a_match_are_its_reports_own(home: Home) -> None:
    """Row by row, from START on."""
    orders: list[ReportOrder] = []

    async def make(order: ReportOrder, progress: Progress, wanted: asyncio.Event) -> dict[str, Any]:
        orders.append(order)
        return {"worths": []}

    async with desk(home) as (service, _):
        reports = Reports(service.database, Cores(1), make)
        reports.start()
        number = await played(service)
        await reports.ask(number)
        await made(reports, number)
        await reports.close()
        record = await service.database.read(matches.record_of, number)

    assert [tuple(row) for row in orders[0].errors] == list(record.errors)


@pytest.mark.parametrize(
    ("unasked", "by_hand", "is_made"),
    [
        ("all", False, True),
        ("people", True, True),
        ("people", False, False),
        ("asked", True, False),
    ],
)
async def test_some_are_made_without_anybody_asking(
    home: Home, unasked: Reported, *, by_hand: bool, is_made: bool
) -> None:
    """Of all matches, of those that people have played, or of none."""
    async with desk(home) as (service, _):
        number = await played(service)
        async with service.database.reading() as session:
            order = MatchOrder.of(await matches.find(session, number, with_rules=True))
        seats = tuple(replace(seat, source="") for seat in order.seats) if by_hand else order.seats
        reports = Reports(service.database, Cores(1), unasked=unasked)

        await reports.follow(number, replace(order, seats=seats))

        async with service.database.reading() as session:
            assert await waiting(session) == [number] * is_made


async def test_a_match_that_has_been_played_is_followed(home: Home) -> None:
    """By the manager, as its settings say."""
    async with desk(home, reports="all") as (service, _):
        number = await played(service)

        assert (await service.reports.state(number)).total >= 0


@pytest.mark.usefixtures("report_source")
async def test_rules_that_cannot_be_read_end_it() -> None:
    """With what is wrong with them."""
    with pytest.raises(ReportError, match="game"):
        await made_report(ReportOrder("game", "(role", []), lambda *_: None, NEVER)


@pytest.mark.usefixtures("report_source")
@pytest.mark.parametrize("is_killed", [True, False])
async def test_nothing_is_left_of_a_process(
    monkeypatch: pytest.MonkeyPatch, *, is_killed: bool
) -> None:
    """Neither of one that was killed nor of one that nobody waits for any more."""
    processes: list[asyncio.subprocess.Process] = []

    async def start(*arguments: Any, **options: Any) -> asyncio.subprocess.Process:
        processes.append(await start_module(*arguments, **options))
        return processes[0]

    monkeypatch.setattr(reports_module, "start_module", start)
    making = asyncio.create_task(made_report(ORDER, lambda *_: None, NEVER))
    await until_true(lambda: processes)
    if is_killed:
        processes[0].kill()
        with pytest.raises(ReportError, match="ended without an answer"):
            await making
    else:
        making.cancel()
        with pytest.raises(asyncio.CancelledError):
            await making

    assert processes[0].returncode is not None
