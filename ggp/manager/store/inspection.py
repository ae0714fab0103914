"""A look into a database that changes nothing, for `ggp manager doctor`."""

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
    "players of accounts that are not there": (
        "select count(*) from players where owner_id > 0 "
        "and owner_id not in (select id from accounts)"
    ),
    "matches of accounts that are not there": (
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
"""What no key between tables forbids, and should not be."""
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
    """In bytes."""
    is_in_use: bool
    newest: float
    """When something was written last by its own account, in seconds since 1970; 0 if never."""
    clock_difference: float
    """Seconds that the clock of the database's machine is ahead."""
    orphans: dict[str, int] = field(default_factory=dict)
    """Of a database of this version."""
    uploads: list[str] = field(default_factory=list)
    """Sources of players that are uploaded files; likewise."""
    free: int | None = None
    """Bytes that are free on the disk; None on another machine."""
    writable_by: str = ""
    """Who else may write to the file."""
    readable_by: str = ""
    """Who else may read the file, or one of those beside it."""

    @property
    def is_current(self) -> bool:
        """Whether its schema is that of this version."""
        return self.content.revision == known_revisions()[0]


async def inspected(url: str) -> DatabaseState:
    """The state of a database.

    Raises:
        DatabaseError: There is none, or it cannot be read.
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
    """The sources of registered players that are uploaded files; there is a table of players."""
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
    """Whether a manager has its claim on a database in a file."""
    try:
        with lock.open(encoding="utf-8") as stream:
            fcntl.flock(stream, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except FileNotFoundError:
        return False
    return False


def who_else_writes(path: Path) -> str:
    """Who, beside its owner, may write to a file or a folder; empty for nobody."""
    return _who_else([path], 0o2)


def who_else_reads(*paths: Path) -> str:
    """Who, beside its owner, may read one of some files or folders; empty for nobody."""
    return _who_else(paths, 0o4)


def _who_else(paths: Sequence[Path], bit: int) -> str:
    modes = [one.stat().st_mode for one in paths]
    if any(mode & bit for mode in modes):
        return "everybody"
    return "its group" if any(mode & (bit << 3) for mode in modes) else ""


def _with_those_beside(file: Path) -> list[Path]:
    """The file of a database, and those in which SQLite keeps what was written last."""
    beside = (file.with_name(file.name + end) for end in ("-wal", "-shm"))
    return [file, *filter(Path.is_file, beside)]
