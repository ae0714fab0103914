"""The database and how to open it: SQLite in a file by default, or PostgreSQL by URL.

sqlite:///ggp.db    sqlite+aiosqlite:////var/lib/ggp.db    postgresql+asyncpg://me@host/ggp
"""

from __future__ import annotations

import asyncio
import json
import logging
import math
import sqlite3
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, nullcontext
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

import aiosqlite
from sqlalchemy import event, text
from sqlalchemy.engine import URL, ExceptionContext
from sqlalchemy.exc import (
    DataError,
    DBAPIError,
    IntegrityError,
    NotSupportedError,
    ProgrammingError,
    SQLAlchemyError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import (
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)

from ggp.manager.store.claim import owned
from ggp.manager.store.location import (
    DatabaseError,
    check_folder,
    make_file,
    parsed_url,
    shown,
)
from ggp.manager.store.schema import upgrade
from ggp.match.errors import AdjournedError
from ggp.metrics.metric import Histogram

_log = logging.getLogger(__name__)

BUSY_SECONDS = 10.0
CLOSING_SECONDS: Final = 5
SHORTEST_PAUSE: Final = 0.05
LONGEST_PAUSE: Final = 2.0
"""Longest pause between two attempts to write, in seconds."""
WARNING_SECONDS: Final = 60.0
"""Seconds between two log warnings that nothing can be written."""
SECONDS: Final = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Bucket bounds of the histogram of session durations."""
OWN_FAULTS: Final = (IntegrityError, ProgrammingError, DataError, NotSupportedError)
"""Errors in the statement itself. Trying again does not help."""
T = TypeVar("T")
P = ParamSpec("P")
Session = AsyncSession
"""The session that callers pass to the functions of the store."""


class UnavailableError(DatabaseError, AdjournedError):
    """The database cannot be used now, for example because the disk is full. It may work later."""


class Database:
    """An open database with the tables of this version.

    Many tasks may use the database at the same time, each in its own session.

    Attributes:
        seconds: Durations of reading and of writing sessions, including the time they waited.
        num_refused: Number of sessions that could not use the database.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._sessions = async_sessionmaker(engine, expire_on_commit=False)
        # One session writes at a time, and no other process writes. So whatever a session has
        # read stays true until the session ends, on every kind of database. SQLite allows only one
        # writer anyway, but waiting here is fairer and faster than being refused by SQLite.
        self._writing = asyncio.Lock()
        # Of the sessions that are not urgent, only one at a time holds that lock or waits for it.
        # So an urgent session waits for at most one of them.
        self._in_line = asyncio.Lock()
        self._warned = -math.inf
        self.seconds = {kind: Histogram(SECONDS) for kind in ("read", "write")}
        self.num_refused = 0

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """Open a session that sees everything committed before it."""
        with self._measured("read"):
            async with self._session() as session:
                yield session

    @contextmanager
    def _measured(self, kind: str) -> Iterator[None]:
        start = time.monotonic()
        try:
            yield
        except UnavailableError:
            self.num_refused += 1
            raise
        finally:
            self.seconds[kind].note(time.monotonic() - start)

    @asynccontextmanager
    async def _session(self) -> AsyncIterator[AsyncSession]:
        with _reporting_what_passes():
            session = self._sessions()
            try:
                yield session
            finally:
                await _whole(session.close())

    @asynccontextmanager
    async def writing(self, *, is_urgent: bool = False) -> AsyncIterator[AsyncSession]:
        """Open a session whose changes are committed together at the end, or not at all.

        Args:
            is_urgent: Whether the session goes before waiting sessions that are not urgent.
        """
        line = nullcontext() if is_urgent else self._in_line
        try:
            with self._measured("write"):
                async with line, self._writing, self._session() as session:
                    yield session
                    await _whole(session.commit())
        except UnavailableError as error:
            if time.monotonic() > self._warned + WARNING_SECONDS:
                self._warned = time.monotonic()
                _log.warning(
                    "%s; the manager tries again until it can write to the database", error
                )
            raise

    async def read(
        self,
        query: Callable[Concatenate[AsyncSession, P], Awaitable[T]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Call a function of the store in a new session and return its result."""
        async with self.reading() as session:
            return await query(session, *args, **kwargs)

    async def write(
        self,
        change: Callable[Concatenate[AsyncSession, P], Awaitable[T]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Call a function of the store in a new session, commit, and return the result."""
        async with self.writing() as session:
            return await change(session, *args, **kwargs)

    async def touch(self) -> None:
        """Check that the database can be written to, without changing anything.

        Raises:
            UnavailableError: Nothing can be written.
        """
        async with self.writing() as session:
            await session.execute(text("update alembic_version set version_num = version_num"))

    async def keep(
        self,
        seconds: float,
        change: Callable[Concatenate[AsyncSession, P], Awaitable[T]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Make a change. If the database cannot be used, retry for up to `seconds`.

        Args:
            change: The function to call in a session. Calling it twice must have the same effect.
        """
        return await self._kept(
            seconds, lambda session: change(session, *args, **kwargs), is_urgent=False
        )

    async def keep_first(
        self,
        seconds: float,
        change: Callable[Concatenate[AsyncSession, P], Awaitable[T]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Make a change as `keep` does, but before all other waiting changes.

        Running matches use this to write their turns.
        """
        return await self._kept(
            seconds, lambda session: change(session, *args, **kwargs), is_urgent=True
        )

    async def _kept(
        self, seconds: float, change: Callable[[AsyncSession], Awaitable[T]], *, is_urgent: bool
    ) -> T:
        loop, pause = asyncio.get_running_loop(), SHORTEST_PAUSE
        end = loop.time() + seconds
        while True:
            try:
                async with self.writing(is_urgent=is_urgent) as session:
                    return await change(session)
            except UnavailableError:
                if loop.time() + pause > end:
                    raise
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)


async def _whole(step: Coroutine[Any, Any, None]) -> None:
    """Run a step to completion, even if the caller is cancelled."""
    task = asyncio.ensure_future(step)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.gather(task, return_exceptions=True)
        raise


@contextmanager
def _reporting_what_passes() -> Iterator[None]:
    try:
        yield
    except OWN_FAULTS:
        raise
    except (DBAPIError, PoolTimeoutError, OSError) as error:
        raise UnavailableError(f"the database cannot be used now: {_first_line(error)}") from error


@asynccontextmanager
async def opened(url: str, *, alone: bool = False) -> AsyncIterator[Database]:
    """Open the database at a URL. If necessary, create it or upgrade its schema.

    Args:
        alone: Whether to claim the database, so that no other manager can use it.

    Raises:
        InUseError: Another manager has claimed the database.
        LinkedError: The file of the database has several names.
        DatabaseUrlError: The URL is not valid.
    """
    parsed = parsed_url(url)
    check_folder(parsed)
    make_file(parsed)
    engine = create_async_engine(
        parsed,
        json_serializer=json_text,
        pool_pre_ping=parsed.get_backend_name() != "sqlite",  # a server may have been restarted
    )
    async with AsyncExitStack() as stack:
        if parsed.get_backend_name() == "sqlite":
            event.listen(engine.sync_engine, "connect", _set_up_sqlite)
            event.listen(engine.sync_engine, "handle_error", _roll_back_what_is_cancelled)
            stack.push_async_callback(_wait_for_threads, _threads_of(engine))
        stack.push_async_callback(engine.dispose)
        with reporting(parsed):
            await _reach(engine, parsed)
            if alone:
                await stack.enter_async_context(owned(engine, parsed))
            async with engine.begin() as connection:
                await connection.run_sync(upgrade)
        yield Database(engine)


def _set_up_sqlite(connection: Any, _record: object) -> None:
    """Set up a connection so that readers never wait, and commits survive a power failure."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA fullfsync=ON")  # macOS: flush to the disk, not only to its cache
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute(f"PRAGMA busy_timeout={int(1000 * BUSY_SECONDS)}")
    cursor.close()


def _threads_of(engine: AsyncEngine) -> list[threading.Thread]:
    """Return a list to which the thread of each new SQLite connection is added.

    A thread is added before its connection is made, because a cancelled task leaves its thread
    running.
    """
    threads: list[threading.Thread] = []

    def connect(*args: Any, **options: Any) -> aiosqlite.Connection:
        connection = aiosqlite.connect(*args, **options)
        # Before aiosqlite 0.22, the connection itself is the thread.
        thread: Any = getattr(connection, "_thread", connection)
        thread.daemon = True
        threads[:] = [each for each in threads if each.ident is None or each.is_alive()]
        threads.append(thread)
        return connection

    def use(_dialect: object, _record: object, _args: object, options: dict[str, Any]) -> None:
        options["async_creator_fn"] = connect

    event.listen(engine.sync_engine, "do_connect", use)
    return threads


async def _wait_for_threads(threads: list[threading.Thread]) -> None:
    """Wait until all connections are closed, because their threads call the event loop.

    Give up with a warning after `CLOSING_SECONDS`.
    """
    end = asyncio.get_running_loop().time() + CLOSING_SECONDS
    while any(thread.is_alive() for thread in threads):
        if asyncio.get_running_loop().time() > end:
            _log.warning("a connection to the database was not closed in %d s", CLOSING_SECONDS)
            return
        await asyncio.sleep(SHORTEST_PAUSE)


def _roll_back_what_is_cancelled(context: ExceptionContext) -> None:
    """Keep the connection of a cancelled task, and have its changes rolled back.

    By default, SQLAlchemy would close the connection. Then SQLite would hold the connection's lock
    as long as any object refers to it, for example the error that reports the cancellation.
    """
    if isinstance(context.original_exception, asyncio.CancelledError):
        context.is_disconnect = False


async def _reach(engine: AsyncEngine, url: URL) -> None:
    try:
        async with engine.connect():
            pass
    except (TypeError, ValueError, OverflowError) as error:  # the driver rejects its arguments
        raise DatabaseError(f"database {shown(url)}: {error}") from error


@contextmanager
def reporting(url: URL) -> Iterator[None]:
    """Convert errors of the database driver to errors that name the database.

    Raises:
        DatabaseError: The driver raised an error.
    """
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, OSError, ImportError) as error:
        raise DatabaseError(f"database {shown(url)}: {_first_line(error)}") from error


def json_text(value: Any) -> str:
    """Return a value as JSON. Replace infinite numbers and NaN by null."""
    try:
        return json.dumps(value, allow_nan=False)
    except ValueError:
        return json.dumps(finite(value), allow_nan=False)


def finite(value: Any) -> Any:
    """Return a copy of a JSON value in which None replaces infinite numbers and NaN.

    >>> finite({"value": float("nan"), "visits": [1, float("inf")]})
    {'value': None, 'visits': [1, None]}
    """
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {name: finite(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [finite(one) for one in value]
    return value


def _first_line(error: Exception) -> str:
    """Return the first line of the database's message, without SQLAlchemy's additions."""
    text = str(getattr(error, "orig", None) or error)
    return text.partition("\n")[0] or type(error).__name__
