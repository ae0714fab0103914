"""Running tournaments: the fixtures of each round become matches, even across restarts.

The whole state is in the database, and the runner reads there what to do next. So nothing is lost
or played twice if the manager dies.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import Any

from ggp.clock import milliseconds_since_1970
from ggp.errors import GgpError
from ggp.manager.domain.continuous import ContinuousPool
from ggp.manager.domain.matches import MatchMaker
from ggp.manager.domain.tournaments import TournamentMaker, match_plan, people_in, sprt_of
from ggp.manager.errors import ConflictError
from ggp.manager.hosting.continuous import ContinuousRun, ContinuousRunner
from ggp.manager.hosting.host import MatchHost
from ggp.manager.store import entrants, matches, tournaments
from ggp.manager.store.database import Database, Session, UnavailableError
from ggp.manager.store.tables import OVER, MatchRow, Status
from ggp.manager.store.tournaments import FixtureEntry, Terms
from ggp.processes.tasks import cancel
from ggp.tournament.plan import TournamentPlan

_log = logging.getLogger(__name__)

SHORTEST_PAUSE, LONGEST_PAUSE = 0.5, 60.0
"""Shortest and longest wait until an adjourned match is resumed, in seconds."""
END_SECONDS = 2.0
"""Longest time that a request to abort a tournament waits until this is stored."""
MIN_AHEAD = 64
"""Smallest number of a tournament's matches to set up in advance. It grows with the cores."""
LOOK_SECONDS = 2.0
"""Seconds between two checks of the number of cores."""


class TournamentRunner:
    """The runner of tournaments. Each tournament has its own task."""

    def __init__(
        self,
        database: Database,
        tournament_maker: TournamentMaker,
        matchmaker: MatchMaker,
        host: MatchHost,
        players: ContinuousPool,
        num_cores: Callable[[], int],
    ) -> None:
        """Create the runner. `num_cores` returns how many players can search at the same time."""
        self._continuous = ContinuousRunner(database, matchmaker, players)
        self._database = database
        self._tournament_maker = tournament_maker
        self._matchmaker = matchmaker
        self._host = host
        self._num_cores = num_cores
        self._tasks: dict[int, asyncio.Task[None]] = {}
        self._playing: set[tuple[int, int]] = set()
        """The people who play, as a tournament and an account. Each plays one match at a time."""
        self._is_free = asyncio.Condition()
        self._waiting: set[asyncio.Task[Any]] = set()
        """The fixtures that wait for a person. They take no place of another fixture."""

    async def create(self, plan: TournamentPlan, terms: Terms | None = None) -> int:
        """Set up a tournament and return its number. Start it unless players sign up first."""
        number = await self._tournament_maker.write_down(plan, terms)
        if terms is None or not terms.is_open:
            self.start(number)
        return number

    def start(self, number: int) -> asyncio.Task[None]:
        """Run a tournament that is new or was interrupted. Return the task that runs it."""
        if number not in self._tasks:
            task = asyncio.create_task(self._run(number), name=f"tournament {number}")
            self._tasks[number] = task
            task.add_done_callback(lambda _: self._tasks.pop(number, None))
        return self._tasks[number]

    async def resume_all(self) -> None:
        """Resume all unfinished tournaments that have no task."""
        numbers = await self._database.read(tournaments.unfinished)
        for number in numbers:
            self.start(number)

    async def abort(self, number: int) -> None:
        """Abort a tournament and its matches."""
        row = await self._database.read(tournaments.find, number)
        if row.status in OVER:
            raise ConflictError(f"tournament {number} is over: {row.status}")
        # Do this first, so that no other task starts the tournament again.
        await self._end(number, Status.ABORTED, "by hand", END_SECONDS)
        await cancel(self._tasks.get(number))
        left = await self._database.read(tournaments.open_matches, number)
        for match in left:
            await self._host.abort(match)

    def wake(self, number: int) -> None:
        """If this is a continuous tournament, let it check at once for free players."""
        self._continuous.wake(number)

    async def annul(self, number: int, match: int) -> None:
        """Annul a match and play it again. Nothing is deleted.

        If the match is not over, abort it. Later rounds that depend on it stay as they are. In a
        continuous tournament, the match is not played again, because others follow anyway.

        Raises:
            NotThereError: The tournament has no such match, or the match does not count.
        """

        async def change(session: Session) -> None:
            row = await tournaments.find(session, number)
            if row.status == Status.ABORTED:
                raise ConflictError(f"tournament {number} is over: {Status.ABORTED}")
            fixture = await tournaments.fixture_of(session, number, match)
            if row.plan["form"] == "continuous":
                await entrants.uncount(session, number, fixture.number)
            if row.plan["form"] == "knockout":
                await _check_last_round(session, number, fixture.round)
            await tournaments.annul(session, number, match)
            await tournaments.set_status(session, number, Status.RUNNING)

        await self._database.keep(END_SECONDS, change)
        await cancel(
            self._tasks.get(number)
        )  # its task does not know that the fixture is open again
        if self._host.is_running(match):
            await self._host.abort(match)
        self.start(number)

    async def close(self) -> None:
        """Stop all tournaments. They continue when the manager starts again."""
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
        """Play a tournament to its end. Return its status and, if it ended early, the reason."""
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
        while len(running - self._waiting) >= self._most_at_once(plan):
            done, _ = await asyncio.wait(
                running, timeout=LOOK_SECONDS, return_when=asyncio.FIRST_COMPLETED
            )
            running -= done

    def _most_at_once(self, plan: TournamentPlan) -> int:
        if plan.jobs:
            return plan.jobs
        # Matches that are set up are played even after the stop rule decides, so set up few.
        return self._num_cores() if plan.stop else max(MIN_AHEAD, 2 * self._num_cores())

    async def _play(self, number: int, plan: TournamentPlan, entry: FixtureEntry) -> FixtureEntry:
        people = {(number, one) for one in people_in(plan, entry.fixture).values()}
        async with self._reserved(people):
            match = entry.match
            if match is None:
                # Without people nothing is read here, so that matches are set up in order.
                row = await self._database.read(tournaments.find, number) if people else None
                clock = None if row is None else row.clock
                match = await self._matchmaker.write_down(
                    match_plan(number, plan, entry.fixture, plan.players, clock)
                )
            ended = await self._until_over(match)
        return tournaments.entry_of(entry.fixture, ended, entry.annulled)

    @contextlib.asynccontextmanager
    async def _reserved(self, people: set[tuple[int, int]]) -> AsyncIterator[None]:
        """Wait until all these people are free, and reserve them inside the `async with`.

        A fixture that waits reserves no person, so that a person who is free can play another one.
        """
        if not people:
            yield
            return
        task = asyncio.current_task()
        assert task is not None
        self._waiting.add(task)
        try:
            async with self._is_free:
                await self._is_free.wait_for(lambda: people.isdisjoint(self._playing))
                self._playing |= people
        finally:
            self._waiting.discard(task)
        try:
            yield
        finally:
            self._playing -= people
            async with self._is_free:
                self._is_free.notify_all()

    async def _until_over(self, match: int) -> MatchRow:
        pause = SHORTEST_PAUSE
        while True:
            await asyncio.wait([self._host.start(match)])
            row = await self._database.read(matches.find, match)
            if row.status in OVER:
                return row
            await asyncio.sleep(pause)  # the match was adjourned
            pause = min(2 * pause, LONGEST_PAUSE)


def _left(plan: TournamentPlan, found: Sequence[FixtureEntry]) -> Iterator[int]:
    """Yield the indices of the fixtures to play next. The caller has to keep `found` up to date.

    Fixtures that have begun come first. The others follow until the stop rule has decided.
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
            "match: its winner has already played in the next round; expected a "
            "match of the last knockout round"
        )


async def _begun(session: Session, number: int) -> TournamentPlan:
    await tournaments.set_status(session, number, Status.RUNNING)
    return TournamentPlan.read((await tournaments.find(session, number)).plan)
