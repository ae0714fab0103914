"""The database keeps what it was given."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from pathlib import Path

import pytest
from aiosqlite import Cursor
from sqlalchemy import text

from ggp.manager.store.database import BUSY_SECONDS, Session, opened

INSERT = """
INSERT INTO rulesheets (name, digest, text, is_bundled, created)
    VALUES ('g', 'd', '(role me)', true, 1) RETURNING id
"""


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
