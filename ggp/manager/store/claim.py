"""A process's claim on a database, which keeps all other managers away from the database.

On PostgreSQL, the claim is an advisory lock of a session. On SQLite, it is a locked file next to
the database.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

from sqlalchemy import text
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine

from ggp.errors import GgpError
from ggp.manager.store.location import PRIVATE, shown

ADVISORY_KEY: Final = 0x676770  # "ggp"; other programs may use other keys in the same database


CLAIM_SECONDS: Final = 1.0
"""Time to wait for a claim. A server may need a moment to notice that the old owner was killed."""
POLL_SECONDS: Final = 0.05
SETTINGS: Final = (
    "set idle_session_timeout = 0",  # the session that holds the claim is idle for hours
    "set tcp_keepalives_idle = 15",  # a machine that has disappeared loses its claim
    "set tcp_keepalives_interval = 5",
    "set tcp_keepalives_count = 3",
)


class InUseError(GgpError):
    """Another manager or tournament is using the database."""

    def __init__(self, url: URL) -> None:
        super().__init__(
            f"database {shown(url)}: another manager or tournament uses it; stop that one, use its "
            "pages, or give another database with --db"
        )


class LinkedError(GgpError):
    """The database file has a second name, under which another manager could use it."""

    def __init__(self, url: URL, file: Path) -> None:
        super().__init__(
            f"database {shown(url)}: expected a file with one name, but {file} has "
            f"{file.stat().st_nlink} (hard links), and SQLite stores the latest changes next to "
            "only one of them; find the others with `find . -samefile FILE` and remove them"
        )


@asynccontextmanager
async def owned(engine: AsyncEngine, url: URL) -> AsyncIterator[None]:
    """Claim a database for this process inside the `async with`."""
    if url.get_backend_name() == "postgresql":
        async with engine.connect() as connection:
            if not await _is_claimed(connection):
                raise InUseError(url)
            for setting in SETTINGS:
                await connection.execute(text(setting))
            await connection.commit()  # the session keeps the lock without an open transaction
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
    """Return the file that SQLite has opened. Follow symbolic links."""
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
