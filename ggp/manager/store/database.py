"""Opening the database: SQLite in a file by default, PostgreSQL by URL.

sqlite:///ggp.db    sqlite+aiosqlite:////var/lib/ggp.db    postgresql+asyncpg://me@host/ggp
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Coroutine, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import event
from sqlalchemy.engine import URL, Connection, make_url
from sqlalchemy.exc import ArgumentError, SQLAlchemyError
from sqlalchemy.ext.asyncio import (
    AsyncEngine,
    AsyncSession,
    async_sessionmaker,
    create_async_engine,
)

from ggp.errors import GgpError
from ggp.manager.store.json_text import spelled
from ggp.manager.store.ownership import owned, shown

ASYNC_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_SECONDS = 10.0
Session = AsyncSession
"""What those who use the store hand from one of its functions to the next."""


class DatabaseError(GgpError):
    """The database cannot be opened or used; the message says which and why."""


class DatabaseUrlError(DatabaseError):
    """A URL that leads to no database: malformed, of another kind, or of a missing folder."""


class Database:
    """An open database whose tables are those of this version.

    Many tasks may use it at once, each in a session of its own.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._sessions = async_sessionmaker(engine, expire_on_commit=False)
        # One at a time, and no other process writes: what a session has looked up stays true until
        # its end, on every kind of database. SQLite has one writer anyway; waiting here is fairer
        # and quicker than being refused there.
        self._writing = asyncio.Lock()

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """A session that sees what was committed before."""
        session = self._sessions()
        try:
            yield session
        finally:
            await _whole(session.close())

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncSession]:
        """A session whose changes are committed at the end, all or none of them."""
        async with self._writing, self.reading() as session:
            yield session
            await _whole(session.commit())


async def _whole(step: Coroutine[Any, Any, None]) -> None:
    """Do something that is not left half done when whoever does it is cancelled meanwhile."""
    task = asyncio.ensure_future(step)
    try:
        await asyncio.shield(task)
    except asyncio.CancelledError:
        await asyncio.wait([task])
        raise


@asynccontextmanager
async def opened(url: str, *, alone: bool = False) -> AsyncIterator[Database]:
    """The database at a URL, created or brought up to date where that is needed.

    Args:
        url: Where it is.
        alone: Whether nobody else may have it open like this.

    Raises:
        InUseError: Somebody has.
        DatabaseUrlError: The URL is none.
        DatabaseError: The database cannot be reached or is of a newer version.
    """
    parsed = _parsed(url)
    _check_folder(parsed)
    engine = create_async_engine(
        parsed,
        json_serializer=spelled,
        pool_pre_ping=parsed.get_backend_name() != "sqlite",  # a server may have been restarted
    )
    if parsed.get_backend_name() == "sqlite":
        event.listen(engine.sync_engine, "connect", _set_up_sqlite)
    try:
        await _reach(engine, parsed)
        async with AsyncExitStack() as stack:
            if alone:
                await _claim(stack, engine, parsed)
            await _migrate(engine, parsed)
            yield Database(engine)
    finally:
        await engine.dispose()


def _parsed(url: str) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise DatabaseUrlError(
            f"database {url!r}: expected sqlite:///FILE or postgresql+asyncpg://USER@HOST/NAME"
        ) from None
    driver = ASYNC_DRIVERS.get(parsed.get_backend_name())
    if driver is None:
        kinds = " or ".join(ASYNC_DRIVERS)
        raise DatabaseUrlError(f"database {url!r}: expected {kinds}, got {parsed.drivername}")
    return parsed.set(drivername=driver)


def _check_folder(url: URL) -> None:
    """See that a file can be there: the driver leaves a thread behind where it cannot."""
    if url.get_backend_name() == "sqlite" and url.database not in {None, "", ":memory:"}:
        folder = Path(str(url.database)).parent
        if not folder.is_dir():
            raise DatabaseUrlError(
                f"database {shown(url)}: unable to open database file: there is no folder {folder}"
            )


def _set_up_sqlite(connection: Any, _record: object) -> None:
    """Readers do not wait for the writer; a commit survives the death of the process."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute(f"PRAGMA busy_timeout={int(1000 * BUSY_SECONDS)}")
    cursor.close()


async def _reach(engine: AsyncEngine, url: URL) -> None:
    with _telling(url):
        try:
            async with engine.connect():
                pass
        except (TypeError, ValueError, OverflowError) as error:  # the driver's, of what it is given
            raise DatabaseError(f"database {shown(url)}: {error}") from error


async def _migrate(engine: AsyncEngine, url: URL) -> None:
    with _telling(url):
        async with engine.begin() as connection:
            await connection.run_sync(_upgrade)


async def _claim(stack: AsyncExitStack, engine: AsyncEngine, url: URL) -> None:
    with _telling(url):
        await stack.enter_async_context(owned(engine, url))


@contextmanager
def _telling(url: URL) -> Iterator[None]:
    """What keeps a database from being opened, in a line."""
    try:
        yield
    except (SQLAlchemyError, OSError, ImportError) as error:
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise DatabaseError(f"database {shown(url)}: {reason}") from error


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
