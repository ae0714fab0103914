"""The database keeps what it was given, for one manager, by whatever name it is called."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from aiosqlite import Cursor
from sqlalchemy import text

from ggp.manager.store.claim import InUseError, LinkedError
from ggp.manager.store.database import BUSY_SECONDS, Session, opened
from ggp.manager.store.location import DatabaseError, DatabaseUrlError
from ggp.manager.store.restoring import check_is_empty

INSERT = """
INSERT INTO rulesheets (name, digest, text, is_bundled, created)
    VALUES ('g', 'd', '(role me)', true, 1) RETURNING id
"""


@pytest.fixture(autouse=True)
def quick_databases() -> None:
    """Databases are as users have them."""


async def test_what_is_committed_is_on_the_disk(tmp_path: Path) -> None:
    """SQLite waits for the disk at each commit: the log alone would not outlive a power cut."""
    async with opened(f"sqlite:///{tmp_path}/ggp.db") as database, database.reading() as session:
        assert await session.scalar(text("PRAGMA synchronous")) == 2
        assert await session.scalar(text("PRAGMA journal_mode")) == "wal"


async def test_who_is_cancelled_while_it_writes_locks_nobody_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A manager that stops cancels its matches, which then write down that they were broken off."""
    task = asyncio.current_task()
    assert task is not None

    async def write(session: Session) -> None:
        await session.execute(text(INSERT))

    execute = Cursor.execute

    async def cancelled(cursor: Cursor, statement: str, values: Iterable[object] = ()) -> Cursor:
        task.cancel()
        return await execute(cursor, statement, values)

    async with opened(f"sqlite:///{tmp_path}/ggp.db") as database:
        monkeypatch.setattr(Cursor, "execute", cancelled)
        try:
            await database.keep(0, write)
        except asyncio.CancelledError:  # as long as it is known, what it was raised in lives on
            monkeypatch.undo()
            task.uncancel()
            async with asyncio.timeout(BUSY_SECONDS / 2):
                await database.keep(60, write)


async def test_no_thread_outlives_a_database_that_is_closed(tmp_path: Path) -> None:
    """Not even of a connection that was cancelled: it would call an event loop that is closed."""
    before = set(threading.enumerate())
    async with opened(f"sqlite:///{tmp_path}/ggp.db") as database:
        async with database.reading() as session:
            statement = asyncio.create_task(session.execute(text("SELECT 1")))
            await asyncio.sleep(0)
            statement.cancel()
            with pytest.raises(asyncio.CancelledError):
                await statement
        assert set(threading.enumerate()) - before

    assert set(threading.enumerate()) <= before


async def test_no_thread_outlives_a_connection_that_is_cancelled_while_it_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On a busy machine the file may be opened long after the task that waits for it has ended."""
    before, is_opening, goes_on = set(threading.enumerate()), threading.Event(), threading.Event()
    connect: Callable[..., sqlite3.Connection] = sqlite3.connect

    def slow_connect(*args: Any, **options: Any) -> sqlite3.Connection:
        is_opening.set()
        goes_on.wait()
        return connect(*args, **options)

    async with opened(f"sqlite:///{tmp_path}/ggp.db") as database:
        async with database.reading() as first, database.reading() as second:
            await first.execute(text("SELECT 1"))
            monkeypatch.setattr(sqlite3, "connect", slow_connect)
            statement = asyncio.create_task(second.execute(text("SELECT 1")))
            await asyncio.to_thread(is_opening.wait)
            statement.cancel()
            with pytest.raises(asyncio.CancelledError):
                await statement
        asyncio.get_running_loop().call_later(0.2, goes_on.set)

    assert not [t for t in set(threading.enumerate()) - before if "connection" in t.name]


async def test_what_is_under_way_is_written_first(tmp_path: Path) -> None:
    """However much waits, what is being written alone comes before it."""
    written: list[str] = []

    async def note(_: Session, what: str) -> None:
        written.append(what)

    async with opened(f"sqlite:///{tmp_path}/ggp.db") as database:
        async with database.writing():
            waiting = [asyncio.create_task(database.keep(9, note, f"new {n}")) for n in range(5)]
            await asyncio.sleep(0)  # they wait in line from now on
            waiting.append(asyncio.create_task(database.keep_first(9, note, "turn")))
            await asyncio.sleep(0)
        await asyncio.gather(*waiting)

    assert written == ["turn", "new 0", "new 1", "new 2", "new 3", "new 4"]


@pytest.mark.parametrize("name", ["ggp.db", "alias.db", "../real/ggp.db", "file:ggp.db?uri=true"])
async def test_a_database_is_claimed_under_all_its_names(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A symbolic link, another spelling or a URI of the file lead to the same lock."""
    folder = tmp_path / "real"
    folder.mkdir()
    (folder / "alias.db").symlink_to(folder / "ggp.db")
    monkeypatch.chdir(folder)

    async with opened(f"sqlite:///{folder}/ggp.db", alone=True):
        with pytest.raises(InUseError, match="another manager or tournament uses it"):
            async with opened(f"sqlite:///{name}", alone=True):
                pass
    async with opened(f"sqlite:///{name}", alone=True):
        pass


async def test_a_file_with_a_second_name_is_refused(tmp_path: Path) -> None:
    """Under the other one nobody would find the lock, nor what SQLite wrote last."""
    async with opened(f"sqlite:///{tmp_path}/ggp.db"):
        pass
    os.link(tmp_path / "ggp.db", tmp_path / "twin.db")

    with pytest.raises(LinkedError, match=r"ggp.db has 2 \(hard links\)"):
        async with opened(f"sqlite:///{tmp_path}/ggp.db", alone=True):
            pass


async def test_a_folder_that_may_not_be_written_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By what makes a database there, and by what restores one; root may write everywhere."""
    monkeypatch.setattr("ggp.manager.store.location.os.access", lambda *_: False)
    said = f"^database sqlite:///{tmp_path}/a.db: the folder {tmp_path} is not writable$"

    with pytest.raises(DatabaseUrlError, match=said):
        await check_is_empty(f"sqlite:///{tmp_path}/a.db")
    with pytest.raises(DatabaseUrlError, match=said):
        async with opened(f"sqlite:///{tmp_path}/a.db"):
            pass


async def test_a_newer_database_is_refused(tmp_path: Path) -> None:
    """In words that say what to do."""
    url = f"sqlite:///{tmp_path}/a.db"
    async with opened(url) as database, database.writing() as session:
        await session.execute(text("update alembic_version set version_num = '9999'"))

    with pytest.raises(DatabaseError, match=f"^database {url}: .*install the version that wrote"):
        async with opened(url):
            pass
