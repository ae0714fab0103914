"""Holding tournaments: fixture after fixture becomes a match, round after round, across restarts.

All that counts stands in the database: whoever holds a tournament looks there for what is to be
done next, so nothing is lost, and nothing played twice, when the manager dies in the middle.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

from ggp.clock import milliseconds_since_1970
from ggp.errors import GgpError
from ggp.manager.apart import check_apart
from ggp.manager.problems import ConflictError
from ggp.manager.service import Proposal, Service
from ggp.manager.store import tournaments
from ggp.manager.store.status import OVER, Status
from ggp.manager.store.tournaments import Entry
from ggp.match.referee import is_played
from ggp.match.tournament.fixtures import next_round
from ggp.match.tournament.plan import TournamentPlan
from ggp.match.tournament.table import Table, make_table

_log = logging.getLogger(__name__)

MAX_AHEAD = 64
"""Matches of a tournament that are set up at once; they wait for cores."""


class Holder:
    """Holds tournaments, each in a task of its own."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._tasks: dict[int, asyncio.Task[None]] = {}

    async def create(self, plan: TournamentPlan) -> int:
        """Set a tournament up and begin; its number.

        Raises:
            GgpError: A game or a player is not known, or the name is taken.
        """
        number = await self._write_down(plan)
        self.start(number)
        return number

    async def create_or_find(self, plan: TournamentPlan) -> int:
        """The number of the tournament with this plan, which is written down if it is new.

        Raises:
            GgpError: Another plan has its name, or as `create`.
        """
        async with self._service.database.reading() as session:
            rows = await tournaments.listed(session)
        for row in rows:
            if row.name == plan.name:
                if TournamentPlan.read(row.plan) == plan:
                    return row.id
                raise ConflictError(
                    f"another tournament is called {plan.name!r}; expected the same plan, or "
                    "another name"
                )
        return await self._write_down(plan)

    async def _write_down(self, plan: TournamentPlan) -> int:
        num_roles = await self._num_roles(plan)
        sources = [
            (entrant.name, await self._service.check_player(entrant.player))
            for entrant in plan.players
        ]
        if max(num_roles.values()) > 1:
            check_apart(sources)
        first = next_round(plan, num_roles, [])
        async with self._service.database.writing() as session:
            number = await tournaments.create(session, plan, milliseconds_since_1970())
            await tournaments.add_fixtures(session, number, first)
        return number

    def start(self, number: int) -> asyncio.Task[None]:
        """Hold a tournament that is set up or was interrupted; the task ends when it is over."""
        if number not in self._tasks:
            task = asyncio.create_task(self._hold(number), name=f"tournament {number}")
            self._tasks[number] = task
            task.add_done_callback(lambda _: self._tasks.pop(number, None))
        return self._tasks[number]

    async def resume_all(self) -> None:
        """Go on with all that were held when the last manager stopped."""
        async with self._service.database.reading() as session:
            numbers = await tournaments.unfinished(session)
        for number in numbers:
            self.start(number)

    async def abort(self, number: int) -> None:
        """Break a tournament off, and its matches.

        Raises:
            ConflictError: It is over.
            UnknownTournamentError: There is none of this number.
        """
        async with self._service.database.reading() as session:
            row = await tournaments.find(session, number)
        if row.status in OVER:
            raise ConflictError(f"tournament {number} is over: {row.status}")
        task = self._tasks.get(number)
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)
        async with self._service.database.reading() as session:
            found = await tournaments.entries(session, number)
        for entry in found:
            if entry.match is not None and entry.status not in OVER:
                await self._service.host.abort(entry.match)
        async with self._service.database.writing() as session:
            await tournaments.set_status(
                session, number, Status.ABORTED, "by hand", milliseconds_since_1970()
            )

    async def close(self) -> None:
        """Leave all tournaments where they are; they go on when the next manager opens."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _hold(self, number: int) -> None:
        try:
            async with self._service.database.writing() as session:
                row = await tournaments.find(session, number)
                await tournaments.set_status(session, number, Status.RUNNING)
            plan = TournamentPlan.read(row.plan)
            num_roles = await self._num_roles(plan)
            while await self._play_round(number, plan):
                if not await self._next_round(number, plan, num_roles):
                    break
            async with self._service.database.writing() as session:
                await tournaments.set_status(
                    session, number, Status.COMPLETED, now=milliseconds_since_1970()
                )
        except GgpError as error:
            async with self._service.database.writing() as session:
                await tournaments.set_status(
                    session, number, Status.ABORTED, str(error), milliseconds_since_1970()
                )
        except Exception as error:  # noqa: BLE001  # the outermost edge of a background task
            _log.exception("tournament %d failed", number)
            reason = f"internal error: {type(error).__name__}"
            async with self._service.database.writing() as session:
                await tournaments.set_status(
                    session, number, Status.ABORTED, reason, milliseconds_since_1970()
                )

    async def _play_round(self, number: int, plan: TournamentPlan) -> bool:
        """Play what is not over; whether there was a round at all."""
        async with self._service.database.reading() as session:
            found = await tournaments.entries(session, number)
        places = asyncio.Semaphore(plan.jobs or MAX_AHEAD)
        left = [entry for entry in found if entry.status not in OVER]
        try:
            async with asyncio.TaskGroup() as group:
                for entry in left:
                    await places.acquire()
                    task = group.create_task(self._play(number, plan, entry))
                    task.add_done_callback(lambda _: places.release())
        except ExceptionGroup as errors:
            raise errors.exceptions[0] from errors
        return bool(found)

    async def _play(self, number: int, plan: TournamentPlan, entry: Entry) -> None:
        """Play a fixture, from where its match stopped if it has one."""
        match = entry.match
        if match is None:
            match = await self._set_up(number, plan, entry)
        await asyncio.wait([self._service.host.start(match)])

    async def _set_up(self, number: int, plan: TournamentPlan, entry: Entry) -> int:
        entrants = {entrant.name: entrant for entrant in plan.players}
        fixture = entry.fixture
        proposal = Proposal(
            game=fixture.game,
            players=tuple(entrants[name].player for name in fixture.players),
            names=fixture.players,
            dialects=tuple(entrants[name].dialect for name in fixture.players),
            startclock=plan.startclock,
            playclock=plan.playclock,
            seed=fixture.seed,
            move_limit=plan.move_limit,
            tournament_id=number,
        )
        return await self._service.write_down(
            proposal,
            lambda session, match: tournaments.link(session, number, fixture.number, match),
        )

    async def _next_round(
        self, number: int, plan: TournamentPlan, num_roles: dict[str, int]
    ) -> bool:
        async with self._service.database.writing() as session:
            found = await tournaments.entries(session, number)
            results = [entry.result for entry in found if entry.result is not None]
            fixtures = next_round(plan, num_roles, results)
            await tournaments.add_fixtures(session, number, fixtures)
        return bool(fixtures)

    async def _num_roles(self, plan: TournamentPlan) -> dict[str, int]:
        return {
            game: sum(map(is_played, await self._service.roles_of(game))) for game in plan.games
        }


def table_of(plan: TournamentPlan, found: Sequence[Entry]) -> Table:
    """The table of what has been played so far."""
    results = [entry.result for entry in found if entry.result is not None]
    return make_table([entrant.name for entrant in plan.players], results)
