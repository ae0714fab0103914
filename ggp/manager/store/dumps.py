"""Dumps: writing a database to one file while a manager uses it, and checking such a file.

SQLite databases are copied with SQLite's backup interface, PostgreSQL databases with `pg_dump`.
Both copy a snapshot of the committed data.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import Counter
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager, closing
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection, create_engine, inspect, text
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from ggp.manager.store.database import BUSY_SECONDS, reporting
from ggp.manager.store.location import (
    DatabaseError,
    DatabaseUrlError,
    check_folder,
    parsed_url,
    shown,
)
from ggp.manager.store.postgresql_programs import run
from ggp.manager.store.schema import check_revision, known_revisions
from ggp.plurals import counted


@dataclass(frozen=True, slots=True)
class DumpInfo:
    """The content of a dump: what a database restored from the dump must contain."""

    kind: str
    """Either `sqlite` or `postgresql`."""
    revision: str
    """The last migration that was applied to the database."""
    rows: Mapping[str, int]
    """Maps the name of each table to its number of rows."""


def content_of(connection: Connection, kind: str) -> DumpInfo:
    """Return a database's revision and the number of rows of each table. Change nothing."""
    names = inspect(connection).get_table_names()
    if "alembic_version" not in names:
        return DumpInfo(kind, "", {})
    revision = connection.scalar(text("select version_num from alembic_version")) or ""
    quoted = connection.dialect.identifier_preparer.quote
    rows = {
        name: int(connection.scalar(text(f"select count(*) from {quoted(name)}")) or 0)  # noqa: S608  # a table's own name
        for name in sorted(names)
        if name != "alembic_version"
    }
    return DumpInfo(kind, revision, rows)


async def dump(url: str, file: Path) -> DumpInfo:
    """Write a database to a new file, and return the content of the database.

    Raises:
        DatabaseError: The database is missing or unreadable, or the file cannot be written.
    """
    parsed = parsed_url(url)
    with reporting(parsed):
        if parsed.get_backend_name() == "sqlite":
            return await asyncio.to_thread(_dump_sqlite, parsed, file)
        return await _dump_postgresql(parsed, file)


def sqlite_file(url: URL) -> Path:
    """Return the file of an existing SQLite database.

    Raises:
        DatabaseUrlError: There is no such file.
    """
    check_folder(url)
    file = Path(str(url.database or ":memory:"))
    if not file.is_file():
        raise DatabaseUrlError(f"database {shown(url)}: there is no file {file}")
    return file


def read_only(file: Path) -> str:
    """Return a URI that makes SQLite open a file read-only."""
    return f"{file.resolve().as_uri()}?mode=ro"


def _dump_sqlite(url: URL, file: Path) -> DumpInfo:
    with (
        closing(sqlite3.connect(read_only(sqlite_file(url)), uri=True)) as source,
        closing(sqlite3.connect(file)) as copy,
    ):
        source.execute(f"PRAGMA busy_timeout={int(1000 * BUSY_SECONDS)}")
        source.backup(copy)  # in one step, which copies one snapshot and does not block writers
        copy.execute("PRAGMA journal_mode=DELETE")  # leave no further files next to this one
    return read_sqlite_dump(file)


def read_sqlite_dump(file: Path) -> DumpInfo:
    """Read a whole dump of an SQLite database to check it, and return its content.

    Raises:
        DatabaseError: The dump is damaged.
    """
    engine = create_engine("sqlite://", creator=lambda: sqlite3.connect(read_only(file), uri=True))
    try:
        with engine.connect() as connection:
            for problem in damage(connection):
                raise DatabaseError(f"the dump is damaged: {problem}")
            return content_of(connection, "sqlite")
    finally:
        engine.dispose()


def damage(connection: Connection) -> list[str]:
    """Return the faults of an SQLite database: broken pages, and rows with dangling references."""
    broken = [str(line) for line in connection.scalars(text("PRAGMA integrity_check(10)"))]
    found = [] if broken == ["ok"] else broken
    orphans = Counter(
        (row[0], row[2]) for row in connection.execute(text("PRAGMA foreign_key_check"))
    )
    return found + [
        f"{counted(number, 'row')} of {table} without the row of {other} that it refers to"
        for (table, other), number in orphans.items()
    ]


async def _dump_postgresql(url: URL, file: Path) -> DumpInfo:
    engine = create_async_engine(url, isolation_level="REPEATABLE READ")
    try:
        async with engine.connect() as connection:
            snapshot = await connection.scalar(text("select pg_export_snapshot()"))
            content = await connection.run_sync(content_of, "postgresql")
            await run(
                *("pg_dump", "--format=custom", "--no-owner", "--no-privileges"),
                *(f"--snapshot={snapshot}", f"--file={file}"),
                url=url,
            )
            return content
    finally:
        await engine.dispose()


async def content(url: str) -> DumpInfo:
    """Return the content of an existing database."""
    parsed = parsed_url(url)
    with reporting(parsed):
        async with looking_into(url) as connection:
            return await connection.run_sync(content_of, parsed.get_backend_name())


@asynccontextmanager
async def looking_into(url: str) -> AsyncIterator[AsyncConnection]:
    """Connect to an existing database without changing it or upgrading its schema."""
    parsed = parsed_url(url)
    if parsed.get_backend_name() == "sqlite":
        file = sqlite_file(parsed)
        parsed = parsed.set(database=read_only(file), query={"uri": "true"})
    engine = create_async_engine(parsed)
    try:
        async with engine.connect() as connection:
            yield connection
    finally:
        await engine.dispose()


async def check_dump(file: Path, promised: DumpInfo) -> None:
    """Check that a database can be restored from a dump.

    Args:
        promised: The content of the database when it was dumped.

    Raises:
        DatabaseError: The dump is damaged, incomplete or of an unknown version.
    """
    check_revision(promised.revision)
    if promised.kind == "sqlite":
        found = await asyncio.to_thread(read_sqlite_dump, file)
        check_rows(found, promised)
    else:
        await run("pg_restore", "--file=/dev/null", str(file), url=URL.create("postgresql"))


def check_rows(found: DumpInfo, promised: DumpInfo) -> None:
    """Check that each table has as many rows as `promised` says.

    Raises:
        DatabaseError: A table has more or fewer rows.
    """
    for name, number in promised.rows.items():
        got = found.rows.get(name, 0)
        if got != number:
            raise DatabaseError(f"table {name}: expected {counted(number, 'row')}, got {got:,}")


async def check_is_current(url: str) -> None:
    """Check that a database exists and has the schema of this version.

    Raises:
        DatabaseError: The database is missing or has another schema.
    """
    found, head = (await content(url)).revision, known_revisions()[0]
    check_revision(found)
    if found != head:
        raise DatabaseError(
            f"database {shown(parsed_url(url))}: expected schema {head}, got {found}; "
            "start a manager of this version, which upgrades the database"
        )
