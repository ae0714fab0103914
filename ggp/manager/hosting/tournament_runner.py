"""Running tournaments: fixture after fixture becomes a match, round after round, across restarts.

All that counts stands in the database: whoever runs a tournament looks there for what is to be
done next, so nothing is lost, and nothing played twice, when the manager dies in the middle.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterator, Mapping, Sequence

from ggp.clock import milliseconds_since_1970
from ggp.errors import GgpError
from ggp.manager.domain.continuous import ContinuousPool
from ggp.manager.domain.matches import MatchMaker
from ggp.manager.domain.tournaments import TournamentMaker, match_plan, sprt_of
from ggp.manager.errors import ConflictError
from ggp.manager.hosting.continuous import ContinuousRun, ContinuousRunner
from ggp.manager.hosting.host import MatchHost
from ggp.manager.store import matches, pool, tournaments
from ggp.manager.store.database import Database, Session, UnavailableError
from ggp.manager.store.tables import OVER, MatchRow, Status
from ggp.manager.store.tournaments import FixtureEntry
from ggp.processes.tasks import cancel
from ggp.tournament.plan import TournamentPlan

_log = logging.getLogger(__name__)

SHORTEST_PAUSE, LONGEST_PAUSE = 0.5, 60.0
"""Seconds until what was adjourned is taken up again."""
END_SECONDS = 2.0
"""Longest wait of somebody who breaks a tournament off until that is written."""
MIN_AHEAD = 64
"""Matches of a tournament that are set up at once, or more where there are more cores."""
LOOK_SECONDS = 2.0
"""From one look at how many there are to the next."""


class TournamentRunner:
    """Runs tournaments, each in a task of its own."""

    def __init__(
        self,
        database: Database,
        tournament_maker: TournamentMaker,
        matchmaker: MatchMaker,
        host: MatchHost,
        players: ContinuousPool,
        num_cores: Callable[[], int],
    ) -> None:
        """Take what tournaments are run with; `num_cores` tells how many players search at once."""
        self._continuous = ContinuousRunner(database, matchmaker, players)
        self._database = database
        self._tournament_maker = tournament_maker
        self._matchmaker = matchmaker
        self._host = host
        self._num_cores = num_cores
        self._tasks: dict[int, asyncio.Task[None]] = {}

    async def create(self, plan: TournamentPlan) -> int:
        """Set a tournament up and begin; its number."""
        number = await self._tournament_maker.write_down(plan)
        self.start(number)
        return number

    def start(self, number: int) -> asyncio.Task[None]:
        """Run a tournament that is set up or was interrupted; the task ends when it is over."""
        if number not in self._tasks:
            task = asyncio.create_task(self._run(number), name=f"tournament {number}")
            self._tasks[number] = task
            task.add_done_callback(lambda _: self._tasks.pop(number, None))
        return self._tasks[number]

    async def resume_all(self) -> None:
        """Go on with all that nobody runs and that are not over."""
        numbers = await self._database.read(tournaments.unfinished)
        for number in numbers:
            self.start(number)

    async def abort(self, number: int) -> None:
        """Break a tournament off, and its matches."""
        row = await self._database.read(tournaments.find, number)
        if row.status in OVER:
            raise ConflictError(f"tournament {number} is over: {row.status}")
        # First of all: what is over is not taken up again by anybody.
        await self._end(number, Status.ABORTED, "by hand", END_SECONDS)
        await cancel(self._tasks.get(number))
        left = await self._database.read(tournaments.open_matches, number)
        for match in left:
            await self._host.abort(match)

    def wake(self, number: int) -> None:
        """Look at once who is there, if this is a continuous tournament."""
        self._continuous.wake(number)

    async def annul(self, number: int, match: int) -> None:
        """Let a match count no more, and have it played again; nothing of it is deleted.

        A match that is not over is broken off. What was drawn from it for later rounds stays. In a
        continuous tournament no match is played again, since others follow anyhow.

        Raises:
            NotThereError: It is no match of this tournament that counts.
        """

        async def change(session: Session) -> None:
            row = await tournaments.find(session, number)
            if row.status == Status.ABORTED:
                raise ConflictError(f"tournament {number} is over: {Status.ABORTED}")
            fixture = await tournaments.fixture_of(session, number, match)
            if row.plan["form"] == "continuous":
                await pool.uncount(session, number, fixture.number)
            if row.plan["form"] == "knockout":
                await _check_last_round(session, number, fixture.round)
            await tournaments.annul(session, number, match)
            await tournaments.set_status(session, number, Status.RUNNING)

        await self._database.keep(END_SECONDS, change)
        await cancel(self._tasks.get(number))  # it knows of no fixture that waits again
        if self._host.is_running(match):
            await self._host.abort(match)
        self.start(number)

    async def close(self) -> None:
        """Leave all tournaments where they are; they go on when the next manager opens."""
        await cancel(*self._tasks.values())

    async def _run(self, number: int) -> None:
        pause = SHORTEST_PAUSE
        while True:
            try:
                status, reason = await self._play_rounds(number)
                await self._end(number, status, reason)
            except UnavailableError:
                await asyncio.sleep(pause)
                pause = min(2 * pause, LONGEST_PAUSE)
            else:
                return

    async def _play_rounds(self, number: int) -> tuple[Status, str]:
        """Play it to its end; how it came out, and why if it ended before all was played."""
        try:
            plan = await self._database.write(_begun, number)
            num_roles = await self._tournament_maker.num_roles(plan)
            if plan.form == "continuous":
                await self._play_on(number, plan, num_roles)
                return Status.COMPLETED, ""
            await self._tournament_maker.plan_round(number, plan, num_roles)
            while found := await self._play_round(number, plan):
                if not await self._tournament_maker.plan_round(number, plan, num_roles):
                    return Status.COMPLETED, _why_stopped(plan, found)
        except UnavailableError:
            raise
        except GgpError as error:
            return Status.ABORTED, str(error)
        except Exception as error:  # noqa: BLE001  # the outermost edge of a background task
            _log.exception("tournament %d failed", number)
            return Status.ABORTED, f"internal error: {type(error).__name__}"
        return Status.COMPLETED, ""

    async def _play_on(
        self, number: int, plan: TournamentPlan, num_roles: Mapping[str, int]
    ) -> None:

        async def play_to_end(match: int) -> None:
            await self._until_over(match)

        def room() -> int:
            return plan.jobs or max(1, self._num_cores())

        await self._continuous.run(ContinuousRun(number, plan, num_roles, room, play_to_end))

    async def _end(self, number: int, status: Status, reason: str, seconds: float = 0.0) -> None:
        now = milliseconds_since_1970()

        async def change(session: Session) -> None:
            if (await tournaments.find(session, number)).status not in OVER:
                await tournaments.set_status(session, number, status, reason, now)

        await self._database.keep(seconds, change)

    async def _play_round(self, number: int, plan: TournamentPlan) -> list[FixtureEntry]:
        found = await self._database.read(tournaments.entries, number)
        running: set[asyncio.Task[None]] = set()

        async def play(place: int) -> None:
            found[place] = await self._play(number, plan, found[place])

        try:
            async with asyncio.TaskGroup() as group:
                for place in _left(plan, found):
                    running.add(group.create_task(play(place)))
                    await self._until_room(plan, running)
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from errors
        return found

    async def _until_room(self, plan: TournamentPlan, running: set[asyncio.Task[None]]) -> None:
        while len(running) >= self._most_at_once(plan):
            done, _ = await asyncio.wait(
                running, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
            running -= done

    def _most_at_once(self, plan: TournamentPlan) -> int:
        if plan.jobs:
            return plan.jobs
        # What is set up is played even if the stop rule decides: so not much more than can run.
        return self._num_cores() if plan.stop else max(MIN_AHEAD, 2 * self._num_cores())

    async def _play(self, number: int, plan: TournamentPlan, entry: FixtureEntry) -> FixtureEntry:
        match = entry.match
        if match is None:
            match = await self._matchmaker.write_down(
                match_plan(number, plan, entry.fixture, plan.players)
            )
        row = await self._until_over(match)
        return tournaments.entry_of(entry.fixture, row, entry.annulled)

    async def _until_over(self, match: int) -> MatchRow:
        pause = SHORTEST_PAUSE
        while True:
            await asyncio.wait([self._host.start(match)])
            row = await self._database.read(matches.find, match)
            if row.status in OVER:
                return row
            await asyncio.sleep(pause)  # it was adjourned
            pause = min(2 * pause, LONGEST_PAUSE)


def _left(plan: TournamentPlan, found: Sequence[FixtureEntry]) -> Iterator[int]:
    """Places of what is to be played next; whoever takes one has filled in what is over by then.

    What has begun goes on first. The rest begins as long as the stop rule has not decided.
    """
    left = [place for place, entry in enumerate(found) if entry.status not in OVER]
    yield from (place for place in left if found[place].match is not None)
    for place in [place for place in left if found[place].match is None]:
        test = sprt_of(plan, found)
        if test is not None and test.verdict is not None:
            return
        yield place


def _why_stopped(plan: TournamentPlan, found: Sequence[FixtureEntry]) -> str:
    test = sprt_of(plan, found)
    if test is None or test.verdict is None or all(entry.status in OVER for entry in found):
        return ""
    return f"stopped early: {test.verdict} accepted"


async def _check_last_round(session: Session, number: int, played: int) -> None:
    if await tournaments.last_round(session, number) > played:
        raise ConflictError(
            "match: winners have gone on after it; expected one of the last round of the knockout"
        )


async def _begun(session: Session, number: int) -> TournamentPlan:
    await tournaments.set_status(session, number, Status.RUNNING)
    return TournamentPlan.read((await tournaments.find(session, number)).plan)
