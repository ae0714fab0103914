"""The database, and how to open it: SQLite in a file by default, PostgreSQL by URL.

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
"""Seconds between two attempts to write."""
WARNING_SECONDS: Final = 60.0
"""Seconds between two warnings in the log that nothing can be written."""
SECONDS: Final = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Bounds of the histogram of session durations."""
OWN_FAULTS: Final = (IntegrityError, ProgrammingError, DataError, NotSupportedError)
"""Errors in the statement itself, which trying again does not help."""
T = TypeVar("T")
P = ParamSpec("P")
Session = AsyncSession
"""The session that callers of the store pass to its functions."""


class UnavailableError(DatabaseError, AdjournedError):
    """The database cannot be used now, but perhaps later: a full disk, a server that is down."""


class Database:
    """An open database with the tables of this version.

    Many tasks may use it at the same time, each in its own session.

    Attributes:
        seconds: Durations of the sessions that read and that write, with the time they waited.
        num_refused: Number of sessions that could not use the database.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._sessions = async_sessionmaker(engine, expire_on_commit=False)
        # One session writes at a time, and no other process writes. So what a session has read
        # stays true until it ends, on every kind of database. SQLite allows one writer anyway, and
        # waiting here is fairer and faster than being refused there.
        self._writing = asyncio.Lock()
        # Only one session that is not urgent waits for that lock at a time, so that an urgent one
        # comes next.
        self._in_line = asyncio.Lock()
        self._warned = -math.inf
        self.seconds = {kind: Histogram(SECONDS) for kind in ("read", "write")}
        self.num_refused = 0

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """Open a session that sees what was committed before."""
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
        """Open a session whose changes are committed at the end, all or none of them.

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
                _log.warning("%s; writing is tried again and again", error)
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
        """Call a function of the store in a new session, commit it, and return its result."""
        async with self.writing() as session:
            return await change(session, *args, **kwargs)

    async def touch(self) -> None:
        """Check that the database can be written, without changing anything.

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
        """Make a change, and try again for up to `seconds` while the database cannot be used.

        Args:
            change: The function to call in a session. A second call must have the same effect.
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

        Running matches write their turns this way.
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
    """Run a step to completion even if the caller is cancelled."""
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
    """Open the database at a URL. Create it or bring it up to date if necessary.

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
    """Set up a connection so that readers do not wait and commits survive a power failure."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA fullfsync=ON")  # macOS: to the disk, not only to its cache
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute(f"PRAGMA busy_timeout={int(1000 * BUSY_SECONDS)}")
    cursor.close()


def _threads_of(engine: AsyncEngine) -> list[threading.Thread]:
    """Return a list to which the thread of each new connection to SQLite is added.

    A thread is listed before its connection is made, because a cancelled task leaves it behind.
    """
    threads: list[threading.Thread] = []

    def connect(*args: Any, **options: Any) -> aiosqlite.Connection:
        connection = aiosqlite.connect(*args, **options)
        # Before aiosqlite 0.22 the connection is the thread.
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
    """Wait until all connections are closed, because their threads call the event loop."""
    end = asyncio.get_running_loop().time() + CLOSING_SECONDS
    while any(thread.is_alive() for thread in threads):
        if asyncio.get_running_loop().time() > end:
            _log.warning("a connection to the database was not closed in %d s", CLOSING_SECONDS)
            return
        await asyncio.sleep(SHORTEST_PAUSE)


def _roll_back_what_is_cancelled(context: ExceptionContext) -> None:
    """Keep a connection whose task was cancelled, and let its changes be rolled back.

    Otherwise it would be closed. SQLite holds a closed connection's lock as long as an object
    refers to the connection, for example the error that reports the cancellation.
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
    """Turn the errors of the database driver into errors that name the database.

    Raises:
        DatabaseError: The driver raised an error.
    """
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, OSError, ImportError) as error:
        raise DatabaseError(f"database {shown(url)}: {_first_line(error)}") from error


def json_text(value: Any) -> str:
    """Return a value as JSON, with null for infinite numbers and NaN."""
    try:
        return json.dumps(value, allow_nan=False)
    except ValueError:
        return json.dumps(finite(value), allow_nan=False)


def finite(value: Any) -> Any:
    """Return a copy of a JSON value with None for infinite numbers and NaN.

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
    """Return the first line of the database's message, without what SQLAlchemy adds."""
    text = str(getattr(error, "orig", None) or error)
    return text.partition("\n")[0] or type(error).__name__
