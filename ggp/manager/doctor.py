"""Checks of a manager's database and machine. Each check returns findings."""

from __future__ import annotations

import asyncio
import ctypes
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final, Literal

from ggp.listener import descriptors
from ggp.manager.config import CONNECTIONS_BESIDE, MEBIBYTE, ManagerConfig
from ggp.manager.store.inspection import DatabaseState, inspected, who_else_reads, who_else_writes
from ggp.manager.store.location import DatabaseError, DatabaseUrlError
from ggp.manager.store.schema import check_revision, known_revisions
from ggp.manager.store.tables import digest_of
from ggp.plurals import counted

MIN_FREE: Final = 200 * MEBIBYTE
"""The disk counts as full if it has less free space than this."""
CLOCK_SECONDS: Final = 2.0
"""Two clocks count as equal if they differ by at most this much."""
PROBE_SECONDS: Final = 60.0
PROBE: Final = (
    "import os\n"
    "from ggp.submission.confinement import Limits, confine, readable, writable\n"
    "found = confine(Limits(), readable(), writable(), lambda listener: None)\n"
    "os.write(1, '\\n'.join(found.gaps).encode())\n"
    "os._exit(0)\n"
)
"""A script that confines its process and prints the gaps. Once confined, it can do little else."""
_UNSYNCHRONIZED: Final = 5  # status of adjtimex(2)
_TIMEX_BYTES: Final = 1024  # more than struct timex needs
Level = Literal["ok", "warning", "fault"]


@dataclass(frozen=True, slots=True)
class Finding:
    """The result of one check."""

    check: str
    level: Level
    text: str

    def to_json(self) -> dict[str, str]:
        """Return the finding as a JSON object."""
        return asdict(self)


async def examine(url: str, submissions: Path | None) -> list[Finding]:
    """Run all checks, one after the other, and return their findings.

    Raises:
        DatabaseUrlError: The URL is malformed, or the file does not exist.
    """
    try:
        state = await inspected(url)
    except DatabaseUrlError:
        raise
    except DatabaseError as error:
        found = [Finding("database", "fault", str(error))]
    else:
        found = [check for look in OF_DATABASE for check in look(state)]
        found += _uploads(state, submissions)
    return [*found, *_clock(), *_files(), await _confinement()]


def _schema(state: DatabaseState) -> Iterator[Finding]:
    revision, head = state.content.revision, known_revisions()[0]
    try:
        check_revision(revision)
    except DatabaseError as error:
        yield Finding("schema", "fault", str(error))
        return
    text = f"{state.content.kind}, schema {revision}"
    if not state.is_current:
        text += f"; the next start updates it to {head}, so back it up first"
    yield Finding("schema", "ok" if state.is_current else "warning", text)


def _use(state: DatabaseState) -> Iterator[Finding]:
    yield Finding(
        "use", "ok", "a manager is using it" if state.is_in_use else "no manager is using it"
    )


def _damage(state: DatabaseState) -> Iterator[Finding]:
    if state.damage:
        text = "; ".join(state.damage) + "; restore a backup"
        yield Finding("damage", "fault", text)
    elif state.content.kind == "sqlite":
        yield Finding("damage", "ok", "all pages and references are sound")


def _orphans(state: DatabaseState) -> Iterator[Finding]:
    for what, number in state.orphans.items():
        yield Finding("orphans", "warning", f"{what}: {number:,}")
    if state.is_current and not state.orphans:
        yield Finding("orphans", "ok", "none")


def _sizes(state: DatabaseState) -> Iterator[Finding]:
    rows = sorted(state.content.rows.items(), key=lambda item: -item[1])[:4]
    largest = ", ".join(f"{name} {number:,}" for name, number in rows if number)
    yield Finding("size", "ok", f"{_megabytes(state.size)}: {largest or 'no rows'}")
    if state.free is None:
        return
    text = f"{_megabytes(state.free)} free"
    if state.free < MIN_FREE:
        yield Finding("disk", "fault", f"{text}; matches pause when the disk is full")
    elif state.free < state.size:
        yield Finding(
            "disk",
            "warning",
            f"{text}; a backup on the same disk needs as much space as the database",
        )
    else:
        yield Finding("disk", "ok", text)


def _permissions(state: DatabaseState) -> Iterator[Finding]:
    if state.writable_by:
        text = (
            f"the database's file can be changed by {state.writable_by}; run chmod go-w on the file"
        )
        yield Finding("permissions", "warning", text)
    if state.readable_by:
        text = (
            f"the database's files can be read by {state.readable_by}; run chmod go-rwx on "
            "the files"
        )
        yield Finding("permissions", "warning", text)
    if state.content.kind == "sqlite" and not (state.writable_by or state.readable_by):
        yield Finding("permissions", "ok", "no other user may read or write the database's files")


def _their_clock(state: DatabaseState) -> Iterator[Finding]:
    ahead = state.newest - time.time()
    if ahead > CLOCK_SECONDS:
        text = (
            f"an entry is dated {ahead:,.0f} s in the future, so the clock of the machine is "
            "wrong, or was wrong when the entry was written"
        )
        yield Finding("clock", "fault", text)
    if abs(state.clock_difference) > CLOCK_SECONDS:
        text = f"the database's machine is {state.clock_difference:+.1f} s ahead of this one"
        yield Finding("clock", "warning", text)


OF_DATABASE: Final[tuple[Callable[[DatabaseState], Iterator[Finding]], ...]] = (
    *(_schema, _use, _damage, _orphans, _sizes, _permissions, _their_clock),
)


def _uploads(state: DatabaseState, folder: Path | None) -> Iterator[Finding]:
    wanted = set(map(digest_of, state.uploads))
    if folder is None:
        if wanted:
            are = counted(len(wanted), "player is an uploaded file", "players are uploaded files")
            yield Finding(
                "uploads",
                "warning",
                f"{are}; to check the files, give their folder with --submissions FOLDER",
            )
        return
    if not folder.is_dir():
        yield Finding("uploads", "fault", f"there is no folder {folder}")
        return
    there = {file.stem for file in folder.rglob("*.py")}
    missing, unused = wanted - there, there - wanted
    for name in sorted(missing):
        yield Finding("uploads", "fault", f"{folder}: the file {name}.py of a player is missing")
    if who := who_else_writes(folder):
        yield Finding(
            "uploads", "warning", f"{folder} can be changed by {who}; run: chmod go-w {folder}"
        )
    if who := who_else_reads(folder):
        yield Finding(
            "uploads", "warning", f"{folder} can be read by {who}; run: chmod -R go-rwx {folder}"
        )
    text = f"{counted(len(there), 'file')}, {len(unused):,} without a registered player"
    yield Finding("uploads", "ok", text)


def _clock() -> Iterator[Finding]:
    if sys.platform != "linux":
        return
    state = ctypes.CDLL(None).adjtimex(ctypes.create_string_buffer(_TIMEX_BYTES))
    if state == _UNSYNCHRONIZED:
        text = (
            "the Linux kernel says that nothing synchronizes this machine's clock; run "
            "chrony or a similar program"
        )
        yield Finding("clock", "warning", text)
    else:
        yield Finding("clock", "ok", "synchronized")


def _files() -> Iterator[Finding]:
    config = ManagerConfig()
    limit = descriptors.raise_limit()
    wanted = config.max_spectators + CONNECTIONS_BESIDE
    clients = config.bounds().max_connections
    text = f"the limit of {limit:,} open files leaves room for {clients:,} connections at once"
    if clients < wanted:
        text += (
            f", but the manager may need {wanted:,}; raise `ulimit -Hn` (LimitNOFILE= of systemd)"
        )
    yield Finding("descriptors", "ok" if clients >= wanted else "warning", text)


async def _confinement() -> Finding:
    """Confine a process like those that run uploaded players, and report any gaps."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-P", "-c", PROBE),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
    )
    try:
        said, _ = await asyncio.wait_for(process.communicate(), PROBE_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()
        return Finding(
            "confinement",
            "warning",
            f"a confined test process did not answer within {PROBE_SECONDS:g} s",
        )
    gaps = "; ".join(said.decode(errors="replace").split("\n")).strip("; ")
    if process.returncode:
        gaps = gaps or "this system cannot confine players"
    if gaps:
        return Finding("confinement", "warning", f"{gaps}; do not use --submissions")
    return Finding(
        "confinement",
        "ok",
        "the Linux kernel restricts the system calls and the file access of uploaded players",
    )


def _megabytes(size: int) -> str:
    return f"{size / MEBIBYTE:,.1f} MiB"
