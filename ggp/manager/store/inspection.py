"""Inspecting a database without changing it, for `ggp manager doctor`."""

from __future__ import annotations

import fcntl
import shutil
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from sqlalchemy import Connection, text

from ggp.manager.store.claim import ADVISORY_KEY
from ggp.manager.store.database import reporting
from ggp.manager.store.dumps import (
    DumpInfo,
    content_of,
    damage,
    looking_into,
    sqlite_file,
)
from ggp.manager.store.location import parsed_url
from ggp.manager.store.schema import known_revisions

ORPHANS: Final = {
    "players of missing accounts": (
        "select count(*) from players where owner_id > 0 "
        "and owner_id not in (select id from accounts)"
    ),
    "matches of missing accounts": (
        "select count(*) from matches where owner_id > 0 "
        "and owner_id not in (select id from accounts)"
    ),
    "completed matches without goals": (
        "select count(*) from matches where status = 'completed' and goals is null"
    ),
    "completed matches without seats": (
        "select count(*) from matches where status = 'completed' "
        "and not exists (select 1 from seats where match_id = matches.id)"
    ),
}
"""Faults in rows that the foreign keys do not rule out, each with a query that counts them."""
NEWEST: Final = "select max(created) from matches union all select max(time) from turns"
SOURCES: Final = "select source from players where source like 'submission-%' and not is_retired"
IN_USE: Final = (
    "select count(*) from pg_locks where locktype = 'advisory' and granted and objid = :key "
    "and database = (select oid from pg_database where datname = current_database())"
)


@dataclass(frozen=True, slots=True)
class DatabaseState:
    """The state of a database: its schema, sizes and faults."""

    content: DumpInfo
    damage: list[str]
    size: int
    """Size in bytes."""
    is_in_use: bool
    newest: float
    """Time of the newest match or turn, in seconds since 1970. 0 if there is none."""
    clock_difference: float
    """Seconds by which the clock of the database's machine is ahead of this machine's clock."""
    orphans: dict[str, int] = field(default_factory=dict)
    """Number of faulty rows of each kind. Empty if the database's schema is of another version."""
    uploads: list[str] = field(default_factory=list)
    """Sources of players that are uploaded files. Empty if the schema is of another version."""
    free: int | None = None
    """Free bytes on the disk. None if the database is on a server."""
    writable_by: str = ""
    """Who may write to the file, apart from its owner."""
    readable_by: str = ""
    """Who may read the file or the files next to it, apart from its owner."""

    @property
    def is_current(self) -> bool:
        """Whether the database has the schema of this version."""
        return self.content.revision == known_revisions()[0]


async def inspected(url: str) -> DatabaseState:
    """Inspect a database and return its state.

    Raises:
        DatabaseError: The database is missing or cannot be read.
    """
    parsed = parsed_url(url)
    with reporting(parsed):
        async with looking_into(url) as connection:
            if parsed.get_backend_name() == "sqlite":
                return await connection.run_sync(_in_file, sqlite_file(parsed))
            return await connection.run_sync(_on_server)


def _in_file(connection: Connection, file: Path) -> DatabaseState:
    sizes = [one.stat().st_size for one in (file, Path(f"{file}-wal")) if one.exists()]
    content, broken = content_of(connection, "sqlite"), damage(connection)
    orphans, uploads = _referring(connection, content)
    return DatabaseState(
        content=content,
        damage=broken,
        size=sum(sizes),
        is_in_use=_is_locked(Path(f"{file.resolve()}.lock")),
        newest=_newest(connection, content),
        clock_difference=0.0,
        orphans=orphans,
        uploads=uploads,
        free=shutil.disk_usage(file.resolve().parent).free,
        writable_by=who_else_writes(file),
        readable_by=who_else_reads(*_with_those_beside(file.resolve())),
    )


def _on_server(connection: Connection) -> DatabaseState:
    content = content_of(connection, "postgresql")
    began = time.time()
    theirs = connection.scalar(text("select extract(epoch from clock_timestamp())"))
    orphans, uploads = _referring(connection, content)
    return DatabaseState(
        content=content,
        damage=[],
        size=connection.scalar(text("select pg_database_size(current_database())")) or 0,
        is_in_use=bool(connection.scalar(text(IN_USE), {"key": ADVISORY_KEY})),
        newest=_newest(connection, content),
        clock_difference=float(theirs or 0) - (began + time.time()) / 2,
        orphans=orphans,
        uploads=uploads,
    )


async def upload_sources(url: str) -> list[str]:
    """Return the sources of registered players that are uploaded files.

    The database must have a table of players.
    """
    async with looking_into(url) as connection:
        return [str(source) for source in await connection.scalars(text(SOURCES))]


def _newest(connection: Connection, content: DumpInfo) -> float:
    if not {"matches", "turns"} <= content.rows.keys():
        return 0.0
    return max((one or 0 for one in connection.scalars(text(NEWEST))), default=0) / 1000


def _referring(connection: Connection, content: DumpInfo) -> tuple[dict[str, int], list[str]]:
    if content.revision != known_revisions()[0]:
        return {}, []
    found = {what: connection.scalar(text(query)) or 0 for what, query in ORPHANS.items()}
    orphans = {what: number for what, number in found.items() if number}
    return orphans, [str(source) for source in connection.scalars(text(SOURCES))]


def _is_locked(lock: Path) -> bool:
    try:
        with lock.open(encoding="utf-8") as stream:
            fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except FileNotFoundError:
        return False
    return False


def who_else_writes(path: Path) -> str:
    """Return in words who, apart from the owner, may write to a path, or "" if nobody may."""
    return _who_else([path], 0o2)


def who_else_reads(*paths: Path) -> str:
    """Return in words who, apart from the owner, may read any of the paths, or "" if nobody may."""
    return _who_else(paths, 0o4)


def _who_else(paths: Sequence[Path], bit: int) -> str:
    modes = [one.stat().st_mode for one in paths]
    if any(mode & bit for mode in modes):
        return "everybody"
    return "its group" if any(mode & (bit << 3) for mode in modes) else ""


def _with_those_beside(file: Path) -> list[Path]:
    """Return a database's file, and the files in which SQLite keeps the latest changes."""
    beside = (file.with_name(file.name + end) for end in ("-wal", "-shm"))
    return [file, *filter(Path.is_file, beside)]
