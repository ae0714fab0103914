"""Opening the database: SQLite in a file by default, PostgreSQL by URL.

sqlite:///ggp.db    sqlite+aiosqlite:////var/lib/ggp.db    postgresql+asyncpg://me@host/ggp
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
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

ASYNC_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
MIGRATIONS = Path(__file__).parent / "migrations"
BUSY_SECONDS = 10.0
Session = AsyncSession
"""What those who use the store hand from one of its functions to the next."""


class DatabaseError(GgpError):
    """The database cannot be opened or used; the message says which and why."""


class Database:
    """An open database whose tables are those of this version.

    Many tasks may use it at once, each in a session of its own.
    """

    def __init__(self, engine: AsyncEngine) -> None:
        self._engine = engine
        self._sessions = async_sessionmaker(engine, expire_on_commit=False)
        # SQLite has one writer; waiting here is fairer and quicker than being refused there.
        self._writing = asyncio.Lock() if engine.dialect.name == "sqlite" else None

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncSession]:
        """A session that sees what was committed before."""
        async with self._sessions() as session:
            yield session

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncSession]:
        """A session whose changes are committed at the end, all or none of them."""
        if self._writing is None:
            async with self._sessions.begin() as session:
                yield session
            return
        async with self._writing, self._sessions.begin() as session:
            yield session


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    """The database at a URL, created or brought up to date where that is needed.

    Raises:
        DatabaseError: The URL is none, or the database cannot be reached or is of a newer version.
    """
    parsed = _parsed(url)
    engine = create_async_engine(parsed)
    if parsed.get_backend_name() == "sqlite":
        event.listen(engine.sync_engine, "connect", _set_up_sqlite)
    try:
        await _migrate(engine, parsed)
        yield Database(engine)
    finally:
        await engine.dispose()


def _parsed(url: str) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise DatabaseError(
            f"database {url!r}: expected sqlite:///FILE or postgresql+asyncpg://USER@HOST/NAME"
        ) from None
    driver = ASYNC_DRIVERS.get(parsed.get_backend_name())
    if driver is None:
        kinds = " or ".join(ASYNC_DRIVERS)
        raise DatabaseError(f"database {url!r}: expected {kinds}, got {parsed.drivername}")
    return parsed.set(drivername=driver)


def _set_up_sqlite(connection: Any, _record: object) -> None:
    """Readers do not wait for the writer; a commit survives the death of the process."""
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.execute(f"PRAGMA busy_timeout={int(1000 * BUSY_SECONDS)}")
    cursor.close()


async def _migrate(engine: AsyncEngine, url: URL) -> None:
    try:
        async with engine.begin() as connection:
            await connection.run_sync(_upgrade)
    except (SQLAlchemyError, OSError, ImportError) as error:
        shown = url.render_as_string(hide_password=True)
        reason = str(getattr(error, "orig", None) or error).splitlines()[0]
        raise DatabaseError(f"database {shown}: {reason}") from error


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
