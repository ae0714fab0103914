"""Restoring a database from a dump: to the same kind of database, or from SQLite to PostgreSQL."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

from sqlalchemy import JSON, Table, Text, bindparam, cast, func, inspect, select, text, type_coerce
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from ggp.manager.store import (
    accounts,
    calendar,
    challenges,
    entrants,
    messages,
    pass_marks,
    players,
    reports,
    scrimmages,
    uploads,
    versions,
)
from ggp.manager.store.database import opened, reporting
from ggp.manager.store.dumps import DumpInfo, check_dump, check_rows, content, read_only
from ggp.manager.store.location import (
    PRIVATE,
    DatabaseUrlError,
    check_folder,
    check_may_make,
    parsed_url,
    shown,
)
from ggp.manager.store.postgresql_programs import run
from ggp.manager.store.tables import DatabaseTable

ROWS_AT_ONCE: Final = 100
"""Number of rows to copy to another database at a time. The row of a turn may take a megabyte."""
BESIDE_SQLITE: Final = ("", "-wal", "-shm", "-journal")
"""Suffixes of the files that belong to an SQLite database. The first is the database."""
_WITH_TABLES: Final = (
    *(accounts, calendar, challenges, entrants, messages, pass_marks, players, reports),
    *(scrimmages, uploads, versions),
)
"""The modules that define more tables. A table is known once its module is imported."""
TABLES: Final = DatabaseTable.metadata.sorted_tables
"""All tables. Each one follows the tables that it refers to."""
OPTIONS: Final = ("--no-owner", "--no-privileges", "--exit-on-error", "--single-transaction")


async def load(url: str, file: Path, promised: DumpInfo) -> None:
    """Restore a database from a dump, check the database and upgrade its schema.

    Args:
        file: The dump. This function may upgrade it too, so do not use it afterwards.
        promised: The content of the database when it was dumped.

    Raises:
        DatabaseError: The database is not empty, or the dump cannot be restored there.
    """
    parsed = parsed_url(url)
    kinds = (promised.kind, parsed.get_backend_name())
    if kinds == ("postgresql", "sqlite"):
        raise DatabaseUrlError(
            f"database {shown(parsed)}: a dump of PostgreSQL can only be restored to PostgreSQL"
        )
    await check_dump(file, promised)
    await check_is_empty(url)
    with reporting(parsed):
        if kinds == ("sqlite", "sqlite"):
            _place(file, Path(str(parsed.database)))
        elif kinds == ("sqlite", "postgresql"):
            promised = await _move(file, url)
        else:
            await run("pg_restore", *OPTIONS, f"--dbname={parsed.database}", str(file), url=parsed)
        check_rows(await content(url), promised)
    async with opened(url, alone=True):
        pass  # opening the database upgrades it


async def check_is_empty(url: str) -> None:
    """Check that restoring a backup overwrites nothing.

    Raises:
        DatabaseUrlError: The database has files or tables.
    """
    parsed = parsed_url(url)
    if parsed.get_backend_name() == "sqlite":
        check_folder(parsed)
        for end in BESIDE_SQLITE:
            file = Path(f"{parsed.database or ':memory:'}{end}")
            if file.exists():
                raise DatabaseUrlError(
                    f"database {shown(parsed)}: expected a new file, but {file} exists; move "
                    "it away, or give another name"
                )
        check_may_make(parsed)
        return
    engine = create_async_engine(parsed)
    try:
        with reporting(parsed):
            async with engine.connect() as connection:
                names = await connection.run_sync(lambda one: inspect(one).get_table_names())
    finally:
        await engine.dispose()
    if names:
        raise DatabaseUrlError(
            f"database {shown(parsed)}: expected an empty one, but it has tables ({names[0]}); "
            "create another with `createdb NAME`"
        )


def _place(dumped: Path, file: Path) -> None:
    """Copy a dump to the database's file, either completely or not at all."""
    new = file.with_name(f"{file.name}.restoring")
    try:
        new.touch(PRIVATE)
        with (
            closing(sqlite3.connect(read_only(dumped), uri=True)) as source,
            closing(sqlite3.connect(new)) as copy,
        ):
            source.backup(copy)
        new.rename(file)
    finally:
        new.unlink(missing_ok=True)


async def _move(dumped: Path, url: str) -> DumpInfo:
    """Copy all rows of an SQLite database to an empty PostgreSQL database. Return its content."""
    origin = f"sqlite:///{dumped}"
    async with opened(origin):
        pass  # opening the database upgrades it
    engine = create_async_engine(parsed_url(origin))
    try:
        async with (
            engine.connect() as source,
            opened(url, alone=True) as database,
            database.writing() as session,
        ):
            target = await session.connection()
            for table in TABLES:
                await _copy(table, source, target)
                await _continue_numbers(table, target)
    finally:
        await engine.dispose()
    return await content(origin)


async def _copy(table: Table, source: AsyncConnection, target: AsyncConnection) -> None:
    """Copy all rows of a table. Copy JSON as text, so that NULL does not become JSON's null."""
    lists = {column.name for column in table.columns if isinstance(column.type, JSON)}
    query = select(
        *(type_coerce(column, Text) if column.name in lists else column for column in table.columns)
    )
    insert = table.insert().values(
        {
            column.name: cast(bindparam(column.name, type_=Text), JSON)
            if column.name in lists
            else bindparam(column.name, type_=column.type)
            for column in table.columns
        }
    )
    names = [column.name for column in table.columns]
    rows = await source.stream(query)
    async for part in rows.partitions(ROWS_AT_ONCE):
        await target.execute(insert, [dict(zip(names, row, strict=True)) for row in part])


async def _continue_numbers(table: Table, target: AsyncConnection) -> None:
    """Make the database give new rows of a table higher numbers than the copied rows have."""
    if [column.name for column in table.primary_key] != ["id"]:
        return
    last = await target.scalar(select(func.max(table.columns["id"])))
    sequence = text("select pg_get_serial_sequence(:table, 'id')")
    name = await target.scalar(sequence, {"table": table.name})
    if name is not None and last is not None:
        await target.execute(text("select setval(:name, :last)"), {"name": name, "last": last})
