"""Opening the database: SQLite in a file by default, PostgreSQL by URL.

sqlite:///ggp.db    sqlite+aiosqlite:////var/lib/ggp.db    postgresql+asyncpg://me@host/ggp
"""

from __future__ import annotations

import asyncio
import fcntl
import json
import logging
import math
import os
import sqlite3
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from sqlalchemy import event, text
from sqlalchemy.engine import URL, Connection, ExceptionContext, make_url
from sqlalchemy.exc import (
    ArgumentError,
    DataError,
    DBAPIError,
    IntegrityError,
    NotSupportedError,
    ProgrammingError,
    SQLAlchemyError,
)
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from sqlalchemy.ext.asyncio import (
    AsyncConnection,
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)

from ggp.errors import GgpError, reason_of
from ggp.match.errors import AdjournedError
from ggp.metrics.metric import Histogram

ADVISORY_KEY: Final = 0x676770  # "ggp": other programs may use other keys in the same database


CLAIM_SECONDS: Final = 1.0
"""A server may need a moment to see that the owner before was killed."""
POLL_SECONDS: Final = 0.05
SETTINGS: Final = (
    "set idle_session_timeout = 0",  # the session that holds the claim says nothing for hours
    "set tcp_keepalives_idle = 15",  # a machine that is gone has no claim any more
    "set tcp_keepalives_interval = 5",
    "set tcp_keepalives_count = 3",
)


def shown(url: URL) -> str:
    """A URL as a person writes it: without the driver that is chosen here, and the password."""
    if url.get_backend_name() == "sqlite":
        url = url.set(drivername="sqlite")
    return url.render_as_string(hide_password=True)


class InUseError(GgpError):
    """Another manager runs on this database."""

    def __init__(self, url: URL) -> None:
        super().__init__(
            f"database {shown(url)}: another manager or tournament uses it; stop that one, use its "
            "pages, or give another database with --db"
        )


class LinkedError(GgpError):
    """A file with a second name: nothing would keep another manager away from that one."""

    def __init__(self, url: URL, file: Path) -> None:
        super().__init__(
            f"database {shown(url)}: expected a file of one name, but {file} has "
            f"{file.stat().st_nlink} (hard links), and SQLite keeps what was written last beside "
            "one of them; find the others with `find . -samefile FILE` and remove them"
        )


@asynccontextmanager
async def owned(engine: AsyncEngine, url: URL) -> AsyncIterator[None]:
    """Claim a database for this process."""
    if url.get_backend_name() == "postgresql":
        async with engine.connect() as connection:
            if not await _is_claimed(connection):
                raise InUseError(url)
            for setting in SETTINGS:
                await connection.execute(text(setting))
            await connection.commit()  # the session keeps the lock, and no transaction stays open
            yield
    elif url.database in {None, "", ":memory:"}:
        yield
    else:
        file = await _file_of(engine)
        if file.stat().st_nlink > 1:
            raise LinkedError(url, file)
        with os.fdopen(os.open(f"{file}.lock", os.O_WRONLY | os.O_CREAT, PRIVATE), "w") as lock:
            try:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise InUseError(url) from None
            yield


async def _file_of(engine: AsyncEngine) -> Path:
    """The file that SQLite opened, whatever it was called: symbolic links are followed."""
    async with engine.connect() as connection:
        row = (await connection.execute(text("PRAGMA database_list"))).one()
    return Path(row.file)


async def _is_claimed(connection: AsyncConnection) -> bool:
    claim, loop = text("select pg_try_advisory_lock(:key)"), asyncio.get_running_loop()
    end = loop.time() + CLAIM_SECONDS
    while not await connection.scalar(claim, {"key": ADVISORY_KEY}):
        if loop.time() > end:
            return False
        await asyncio.sleep(POLL_SECONDS)
    return True


_log = logging.getLogger(__name__)

PRIVATE: Final = 0o600
"""Mode of files that nobody else may read."""
ASYNC_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_SECONDS = 10.0
SHORTEST_PAUSE: Final = 0.05
LONGEST_PAUSE: Final = 2.0
"""Seconds between two tries to write."""
WARNING_SECONDS: Final = 60.0
"""The log says as often that nothing can be written."""
SECONDS: Final = (0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0)
"""Bounds of how long a session may take."""
OWN_FAULTS: Final = (IntegrityError, ProgrammingError, DataError, NotSupportedError)
"""Errors that are in a statement itself, and stay however often it is tried."""
T = TypeVar("T")
P = ParamSpec("P")
Session = AsyncSession
"""The session that users of the store hand from one of its functions to the next."""


class DatabaseError(GgpError):
    """The database cannot be opened or used; the message says which and why."""


class DatabaseUrlError(DatabaseError):
    """A URL that leads to no database: malformed, of another kind, or of a missing folder."""


class UnavailableError(DatabaseError, AdjournedError):
    """The database cannot be used now, but perhaps later: a full disk, a server that is away."""


class Database:
    """An open database whose tables are those of this version.

    Many tasks may use it at once, each in a session of its own.

    Attributes:
        seconds: How long sessions took that read or write, what they waited for included.
        num_refused: How many of them could not use the database.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._sessions = async_sessionmaker(engine, expire_on_commit=False)
        # One at a time, and no other process writes: what a session has looked up stays true until
        # its end, on every kind of database. SQLite has one writer anyway; waiting here is fairer
        # and quicker than being refused there.
        self._writing = asyncio.Lock()
        # Of those who are not urgent one at a time waits for that, so that who is finds it free.
        self._in_line = asyncio.Lock()
        self._warned = -math.inf
        self.seconds = {kind: Histogram(SECONDS) for kind in ("read", "write")}
        self.num_refused = 0

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """A session that sees what was committed before."""
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
        """A session whose changes are committed at the end, all or none of them.

        Args:
            is_urgent: Whether it comes before those who wait and are not.
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
                _log.warning("%s; what is to be written is tried again and again", error)
            raise

    async def read(
        self,
        query: Callable[Concatenate[AsyncSession, P], Awaitable[T]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """The answer of a function of the store, in a session of its own."""
        async with self.reading() as session:
            return await query(session, *args, **kwargs)

    async def write(
        self,
        change: Callable[Concatenate[AsyncSession, P], Awaitable[T]],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """The answer of a function of the store, whose changes are committed."""
        async with self.writing() as session:
            return await change(session, *args, **kwargs)

    async def touch(self) -> None:
        """Write something that changes nothing.

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
        """Make a change, and try again for a while if it cannot be written.

        Args:
            change: What to do in a session; done anew, it must come to the same.
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
        """As `keep`, before all else that waits to be written: of a match that is under way."""
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
    """Do something that is not left half done when whoever does it is cancelled meanwhile."""
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
    """The database at a URL, created or brought up to date where that is needed.

    Args:
        alone: Whether nobody else may have it open like this.

    Raises:
        InUseError: Somebody has.
        LinkedError: The file of the database goes by several names.
        DatabaseUrlError: The URL is none.
    """
    parsed = parsed_url(url)
    check_folder(parsed)
    _make_file(parsed)
    engine = create_async_engine(
        parsed,
        json_serializer=json_text,
        pool_pre_ping=parsed.get_backend_name() != "sqlite",  # a server may have been restarted
    )
    if parsed.get_backend_name() == "sqlite":
        event.listen(engine.sync_engine, "connect", _set_up_sqlite)
        event.listen(engine.sync_engine, "handle_error", _roll_back_what_is_cancelled)
    async with AsyncExitStack() as stack:
        stack.push_async_callback(engine.dispose)
        with reporting(parsed):
            await _reach(engine, parsed)
            if alone:
                await stack.enter_async_context(owned(engine, parsed))
            async with engine.begin() as connection:
                await connection.run_sync(_upgrade)
        yield Database(engine)


def parsed_url(url: str) -> URL:
    """A URL with the driver that is used here.

    Raises:
        DatabaseUrlError: It is none.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        hint = f"; did you mean sqlite:///{url}?" if url and "://" not in url else ""
        raise DatabaseUrlError(
            f"database {url!r}: expected sqlite:///FILE or postgresql+asyncpg://USER@HOST/NAME"
            + hint
        ) from None
    driver = ASYNC_DRIVERS.get(parsed.get_backend_name())
    if driver is None:
        kinds = " or ".join(ASYNC_DRIVERS)
        raise DatabaseUrlError(f"database {url!r}: expected {kinds}, got {parsed.drivername}")
    return parsed.set(drivername=driver)


def check_folder(url: URL) -> None:
    """See that a file can be there: the driver leaves a thread behind where it cannot."""
    if url.get_backend_name() == "sqlite" and url.database not in {None, "", ":memory:"}:
        file = Path(str(url.database))
        try:
            with file.open("rb") as stream:
                stream.read(1)
        except (FileNotFoundError, NotADirectoryError):
            pass
        except OSError as error:
            raise DatabaseUrlError(f"database {shown(url)}: {reason_of(error)}") from error
        folder = file.parent
        if not folder.is_dir():
            raise DatabaseUrlError(
                f"database {shown(url)}: unable to open database file: there is no folder {folder}"
            )


def _make_file(url: URL) -> None:
    """Make the file of an SQLite database, for nobody else to read; what SQLite adds is like it."""
    name = str(url.database or ":memory:")
    if url.get_backend_name() == "sqlite" and not name.startswith((":", "file:")):
        with suppress(OSError):  # SQLite says it better
            Path(name).touch(PRIVATE, exist_ok=False)


def _set_up_sqlite(connection: Any, _record: object) -> None:
    """Readers do not wait for the writer; a commit survives the loss of power."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=FULL")
    cursor.execute("PRAGMA fullfsync=ON")  # macOS: to the disk, not only to its cache
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute(f"PRAGMA busy_timeout={int(1000 * BUSY_SECONDS)}")
    cursor.close()


def _roll_back_what_is_cancelled(context: ExceptionContext) -> None:
    """Keep a connection on which somebody was cancelled: what it has written is rolled back.

    It would be closed, and SQLite keeps the lock of a closed one as long as anything of it lives,
    such as the error that reports this.
    """
    if isinstance(context.original_exception, asyncio.CancelledError):
        context.is_disconnect = False


async def _reach(engine: AsyncEngine, url: URL) -> None:
    try:
        async with engine.connect():
            pass
    except (TypeError, ValueError, OverflowError) as error:  # the driver's, of what it is given
        raise DatabaseError(f"database {shown(url)}: {error}") from error


@contextmanager
def reporting(url: URL) -> Iterator[None]:
    """Let errors of the database's driver name the database.

    Raises:
        DatabaseError: In place of each of them.
    """
    try:
        yield
    except (SQLAlchemyError, sqlite3.Error, OSError, ImportError) as error:
        raise DatabaseError(f"database {shown(url)}: {_first_line(error)}") from error


def json_text(value: Any) -> str:
    """The JSON of a value; numbers that it has no word for are null."""
    try:
        return json.dumps(value, allow_nan=False)
    except ValueError:
        return json.dumps(finite(value), allow_nan=False)


def finite(value: Any) -> Any:
    """A value with None in place of all numbers that are none.

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
    """The first line of what the database says, without what SQLAlchemy adds."""
    text = str(getattr(error, "orig", None) or error)
    return text.partition("\n")[0] or type(error).__name__


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config
    from alembic.util.exc import CommandError

    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    try:
        command.upgrade(config, "head")
    except CommandError as error:
        raise DatabaseError(f"the database is of another version: {error}") from error
