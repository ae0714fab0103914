"""Running continuous tournaments: start matches while there are free players and cores.

Everything that a restart needs is in the database. A fixture is stored before its match begins, and
it is counted when the match is over. Memory holds only the busy players and recent ratings.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from ggp.clock import milliseconds_since_1970
from ggp.errors import GgpError
from ggp.manager.domain.continuous import ContinuousPool, next_match, pool_table
from ggp.manager.domain.matches import MatchMaker
from ggp.manager.domain.tournaments import match_plan
from ggp.manager.store import entrants, tournaments
from ggp.manager.store.database import Database, UnavailableError
from ggp.manager.store.entrants import EntrantRow, Presence
from ggp.tournament.fixture import Fixture
from ggp.tournament.fixtures import match_seed
from ggp.tournament.plan import Entrant, TournamentPlan

_log = logging.getLogger(__name__)

LOOK_SECONDS: Final = 1.0
"""Seconds between two checks for free players and absent ones."""
RATING_SECONDS: Final = 5.0
"""Shortest time between two computations of the ratings that are used to choose opponents."""
RATING_TIMES: Final = 20
"""Pause between two computations of the ratings, in multiples of how long the last one took."""
ASKED_AT_ONCE: Final = 16
"""Largest number of absent players to contact at the same time."""

PlayToEnd = Callable[[int], Awaitable[None]]
"""A function that plays the match with the given number to its end."""


@dataclass(slots=True)
class ContinuousRun:
    """A running continuous tournament."""

    number: int
    plan: TournamentPlan
    num_roles: Mapping[str, int]
    room: Callable[[], int]
    """Returns the number of matches that may run at the same time."""
    play_to_end: PlayToEnd
    busy: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """The players of the running matches, by fixture number."""
    is_changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a player becomes free or joins, and when the tournament is ended."""
    elos: dict[str, float] = field(default_factory=dict)
    next_rating: float = -math.inf


class ContinuousRunner:
    """The runner of continuous tournaments."""

    def __init__(self, database: Database, matchmaker: MatchMaker, players: ContinuousPool) -> None:
        self._database = database
        self._matchmaker = matchmaker
        self._players = players
        self._runs: dict[int, ContinuousRun] = {}

    def wake(self, number: int) -> None:
        """Let a running tournament check at once for free players."""
        if number in self._runs:
            self._runs[number].is_changed.set()

    async def run(self, run: ContinuousRun) -> None:
        """Start matches until the tournament is ended, and then wait until all matches are over."""
        self._runs[run.number] = run
        try:
            async with asyncio.TaskGroup() as group:
                asking = group.create_task(self._ask_absent(run))
                await self._make_matches(run, group)
                asking.cancel()
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from errors
        finally:
            del self._runs[run.number]

    async def _make_matches(self, run: ContinuousRun, group: asyncio.TaskGroup) -> None:
        begun = await self._database.read(entrants.open_fixtures, run.number)
        for entry in begun:
            run.busy[entry.fixture.number] = entry.fixture.players
            group.create_task(self._play(run, entry.fixture, entry.match))
        while True:
            run.is_changed.clear()
            async with self._database.reading() as session:
                closes = (await tournaments.find(session, run.number)).closes
            is_closed = closes is not None and milliseconds_since_1970() >= closes
            if is_closed and not run.busy:
                return
            while not is_closed and len(run.busy) < run.room():
                fixture = await self._next(run)
                if fixture is None:
                    break
                group.create_task(self._play(run, fixture, None))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(LOOK_SECONDS):
                    await run.is_changed.wait()

    async def _next(self, run: ContinuousRun) -> Fixture | None:
        # Collect the busy players before reading the rows. A match that ends in between would
        # otherwise leave its players free with rows from before the match.
        busy = {name for players in run.busy.values() for name in players}
        async with self._database.reading() as session:
            rows = await entrants.listed(session, run.number)
            owners = await entrants.owners(session, run.number)
        await self._rate(run, rows)
        choice = next_match(run.plan, run.num_roles, rows, busy, run.elos, owners)
        if choice is None:
            return None
        async with self._database.writing() as session:
            planned = await entrants.num_fixtures(session, run.number)
            seed = match_seed(run.plan.seed, planned)
            fixture = await entrants.add_fixture(session, run.number, choice, seed)
        run.busy[fixture.number] = fixture.players
        return fixture

    async def _rate(self, run: ContinuousRun, rows: Sequence[EntrantRow]) -> None:
        now = asyncio.get_running_loop().time()
        if now < run.next_rating:
            return
        met = await self._database.read(entrants.encounters, run.number)
        table = await asyncio.to_thread(pool_table, rows, met)
        run.elos = {row.name: row.rating.elo for row in table.rows if row.rating is not None}
        took = asyncio.get_running_loop().time() - now
        run.next_rating = now + max(RATING_SECONDS, RATING_TIMES * took)

    async def _play(self, run: ContinuousRun, fixture: Fixture, match: int | None) -> None:
        if match is None:
            match = await self._set_up(run, fixture)
        if match is not None:
            await run.play_to_end(match)
            now = milliseconds_since_1970()
            await self._database.write(entrants.count, run.number, fixture.number, now)
        del run.busy[fixture.number]
        run.is_changed.set()

    async def _set_up(self, run: ContinuousRun, fixture: Fixture) -> int | None:
        rows = await self._database.read(entrants.listed, run.number)
        seated = [row for row in rows if row.name in fixture.players]
        if all(row.state == Presence.IN for row in seated):
            seats = [Entrant(row.name, row.player, row.dialect) for row in seated]
            plan = match_plan(run.number, run.plan, fixture, seats)
            try:
                return await self._matchmaker.write_down(plan)
            except UnavailableError:
                raise
            except GgpError:
                if not await self._players.remove_misfits(run.number, seated):
                    raise
        await self._database.write(entrants.drop_fixture, run.number, fixture.number)
        return None

    async def _ask_absent(self, run: ContinuousRun) -> None:
        room = asyncio.Semaphore(ASKED_AT_ONCE)

        async def ask(row: EntrantRow) -> None:
            async with room:
                problem = await self._players.problem_of(row.player, row.dialect)
            now = milliseconds_since_1970()
            await self._database.write(entrants.set_answering, run.number, row.name, now, problem)
            if not problem:
                run.is_changed.set()

        while True:
            rows = await self._database.read(entrants.listed, run.number)
            now = milliseconds_since_1970()
            absent = [row for row in rows if row.state == Presence.AWAY and (row.retry or 0) <= now]
            await asyncio.gather(*map(ask, absent))
            await asyncio.sleep(LOOK_SECONDS)
