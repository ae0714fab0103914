"""A manager for tests: on a database of its own, asked directly or over HTTP."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import tempfile
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from aiohttp import ClientSession, web
from aiohttp.test_utils import TestClient, TestServer
from sqlalchemy import create_engine, event
from sqlalchemy.engine import make_url

from ggp.listener.connection import BoundedAppRunner
from ggp.manager.app import make_app
from ggp.manager.config import ManagerConfig
from ggp.manager.domain.matches import MatchMaker, MatchPlan
from ggp.manager.domain.people import Sitter
from ggp.manager.domain.players import PERSON
from ggp.manager.hosting.tournament_runner import TournamentRunner
from ggp.manager.service import ManagerService, open_service
from ggp.manager.store import matches
from ggp.manager.store.database import Database
from ggp.manager.store.matches import PlayedTurn
from ggp.manager.store.schema import upgrade
from ggp.manager.store.tables import MatchRow

SECONDS = 60.0
"""Time that anything may take before a test gives up; no test passes by it."""
WAITING_GAME = """
(role left) (role right)
(init (step 0))
(<= (next (step 1)) (true (step 0)))
(<= (next (step 2)) (true (step 1)))
(legal left wait) (legal left go) (legal right wait)
(<= terminal (true (step 2)))
(<= (goal left 100) (true (step 2)))
(<= (goal right 0) (true (step 2)))
"""


KEY = "key"
"""Of the people in matches of `by_hand`."""


@dataclass(frozen=True, slots=True)
class Home:
    """The place where a manager of a test keeps things."""

    folder: Path
    database: str
    """A URL."""

    @classmethod
    def at(cls, folder: Path) -> Home:
        """All in a folder."""
        return cls(folder, f"sqlite:///{folder}/ggp.db")


def config_for(home: Home | Path, **changes: Any) -> ManagerConfig:
    """Of a manager that is at home there; in a folder, where the database makes no difference."""
    home = Home.at(home) if isinstance(home, Path) else home
    url = make_url(home.database)
    if url.get_backend_name() == "sqlite" and not (file := Path(str(url.database))).exists():
        file.write_bytes(_empty_database())
    config = ManagerConfig(port=0, database=home.database, reports="asked")
    return replace(config, **changes)


@functools.cache
def _empty_database() -> bytes:
    """A file as every manager makes it that has none; making it takes longer than most tests."""
    with tempfile.TemporaryDirectory() as folder:
        engine = create_engine(f"sqlite:///{folder}/ggp.db")
        with engine.begin() as connection:
            upgrade(connection)
        engine.dispose()
        return Path(folder, "ggp.db").read_bytes()


def two(game: str = "ticTacToe", **changes: Any) -> MatchPlan:
    """A match between two that do not think."""
    seed = None if game == "phantomTicTacToe" else 1  # nobody chooses it where that tells something
    return replace(MatchPlan(game=game, players=("random", "random"), seed=seed), **changes)


def by_hand(game: str = "ticTacToe", players: tuple[str, ...] = (PERSON, "legal")) -> MatchPlan:
    """A match with people who all have `KEY`."""
    return two(game, players=players, sitters=(Sitter(key=KEY),) * players.count(PERSON))


class BoundedTestServer(TestServer):
    """Behind the listener that a real manager has."""

    def __init__(self, app: web.Application, config: ManagerConfig) -> None:
        super().__init__(app)
        self._config = config

    async def _make_runner(self, **options: Any) -> BoundedAppRunner:
        return BoundedAppRunner(self.app, self._config.bounds(), **options)


@contextlib.asynccontextmanager
async def desk(
    home: Home | Path, **changes: Any
) -> AsyncIterator[tuple[ManagerService, TestClient[Any, Any]]]:
    """A manager, and a browser that asks it."""
    config = config_for(home, **changes)
    async with (
        open_service(config) as service,
        TestClient(BoundedTestServer(make_app(service), config)) as client,
    ):
        yield service, client
        await service.tournaments.close()
        await service.host.close()


async def write_down(service: ManagerService, plan: MatchPlan) -> int:
    """Write a match down that nobody starts; its number."""
    matchmaker = MatchMaker(service.database, service.catalogue, service.players, 200)
    return await matchmaker.write_down(plan)


async def over(service: ManagerService, number: int) -> MatchRow:
    """A match, once it runs no more."""
    async with asyncio.timeout(SECONDS):
        if service.host.is_running(number):
            await asyncio.wait([service.host.start(number)])
        return await found(service, number)


async def found(service: ManagerService, number: int) -> MatchRow:
    """A match as it stands."""
    async with service.database.reading() as session:
        return await matches.find(session, number)


async def turns(service: ManagerService, number: int) -> list[PlayedTurn]:
    """The turns that were played."""
    async with service.database.reading() as session:
        return await matches.turns_of(session, number)


async def ask(
    client: TestClient[Any, Any] | ClientSession, method: str, path: str, body: Any = None
) -> tuple[int, Any]:
    """The status and the JSON of an answer of the API."""
    async with client.request(method, f"/api/v1{path}", json=body) as answer:
        return answer.status, await answer.json()


async def until_turn(service: ManagerService, number: int, turn: int) -> None:
    """Wait until a turn of a match that runs is over."""
    await until(service, number, f'"number":{turn},"moves"')


async def until(service: ManagerService, number: int, text: str) -> None:
    """Wait until something is sent to the spectators of a match that runs."""
    channel = service.hub.find(number)
    assert channel is not None
    async with asyncio.timeout(SECONDS):
        async for chunk in channel.frames():
            if text.encode() in chunk:
                return


async def over_tournament(runner: TournamentRunner, number: int) -> None:
    """Wait until a tournament is over."""
    async with asyncio.timeout(2 * SECONDS):
        await asyncio.wait([runner.start(number)])


@contextlib.contextmanager
def unwritable(database: Database) -> Iterator[None]:
    """Let nobody write to a database in a file, as if its disk were full, inside the `with`."""
    engine, is_full = database._engine.sync_engine, True

    def decide(connection: Any, _record: object, _proxy: object) -> None:
        cursor = connection.cursor()
        cursor.execute(f"PRAGMA query_only={int(is_full)}")
        cursor.close()

    event.listen(engine, "checkout", decide)
    try:
        yield
    finally:
        is_full = False


async def until_so(is_so: Callable[[], Awaitable[bool]], seconds: float = SECONDS) -> None:
    """Wait until `is_so` returns True, for what nothing else announces."""
    async with asyncio.timeout(seconds):
        while not await is_so():
            await asyncio.sleep(0.01)


async def until_true(is_so: Callable[[], object], seconds: float = SECONDS) -> None:
    """Wait as `until_so` does, for what can be seen without awaiting."""

    async def awaited() -> bool:
        return bool(is_so())

    await until_so(awaited, seconds)


async def until_it_fails(database: Database) -> None:
    """Wait until a change could not be written."""
    await until_true(lambda: database._warned >= 0)
