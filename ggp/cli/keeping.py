"""`ggp manager backup` and the other verbs that maintain a manager's data."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.checks import check_folder, check_saving, naming_db, require_packages
from ggp.cli.options import Json, argument, flag, option

if TYPE_CHECKING:
    from ggp.manager.store.retention import Pruned

Db = Annotated[
    str,
    option(
        "URL", "Database of the manager: sqlite:///FILE or postgresql+asyncpg://USER@HOST/NAME."
    ),
]
DEFAULT_DB = "sqlite:///ggp.db"
DAY = 24 * 60 * 60 * 1000  # in milliseconds
Submissions = Annotated[
    Path | None,
    option(
        "FOLDER", "The manager's --submissions folder, with the players that people have uploaded."
    ),
]


def backup(
    file: Annotated[Path, argument("FILE", "The backup to write, a new file.")],
    db: Db = DEFAULT_DB,
    submissions: Submissions = None,
) -> None:
    """Write all data of a manager to one file, even while the manager runs.

    The backup holds everything that was committed at one moment. It is written to a temporary file,
    checked, and then renamed to FILE. PostgreSQL needs pg_dump. Protect the file: it holds
    everything that the manager knows except passwords.

    Examples:
        ggp manager backup ggp-monday.backup
        ggp manager backup club.backup --db sqlite:///club.db --submissions uploads
    """
    require_packages()
    import asyncio

    from ggp.manager.backup import write_backup
    from ggp.terminal.keeping_view import print_backup

    check_saving("FILE", file)
    check_folder("--submissions", submissions)
    with naming_db():
        manifest = asyncio.run(write_backup(db, file, submissions))
    print_backup(file, manifest)


def restore(
    file: Annotated[Path, argument("FILE", "The backup to read.")],
    db: Db = DEFAULT_DB,
    submissions: Submissions = None,
    check: Annotated[bool, flag("Only read the whole backup and check that it is complete.")] = (
        False
    ),
) -> None:
    """Restore the database of a manager from a backup, or check a backup.

    The database must not exist yet, or be an empty PostgreSQL database. A backup of SQLite can be
    restored to PostgreSQL as well. The backup is checked completely before anything is written, and
    the new database is compared with it afterwards.

    Examples:
        ggp manager restore ggp-monday.backup --check
        ggp manager restore ggp-monday.backup --db sqlite:///new.db
        ggp manager restore ggp-monday.backup --db postgresql+asyncpg://ggp@localhost/ggp
    """
    require_packages()
    import asyncio

    from ggp.manager.backup import check_backup, restore_backup
    from ggp.terminal.keeping_view import print_backup

    if check:
        print_backup(file, asyncio.run(check_backup(file)))
        return
    check_folder("--submissions", submissions, is_made=True)
    with naming_db():
        manifest = asyncio.run(restore_backup(file, db, submissions))
    print_backup(file, manifest)
    print(f"restored to {db}")


def prune(
    older_than: Annotated[
        int,
        option(
            "DAYS",
            "Prune matches that ended at least this many days ago. This option is required.",
            min=0,
        ),
    ],
    db: Db = DEFAULT_DB,
    yes: Annotated[
        bool, flag("Remove the data. Without this option, only report what would be removed.")
    ] = False,
) -> None:
    """Remove the turns of old matches. Results stay.

    Players, goals and errors of these matches stay, so ratings and tables do not change. Positions,
    moves, thoughts of players and reports are removed, and so are expired sessions and links. Make
    a backup and stop the manager before you use this command.

    Examples:
        ggp manager prune --older-than 365
        ggp manager prune --older-than 365 --yes
    """
    require_packages()
    import asyncio

    from ggp.clock import milliseconds_since_1970
    from ggp.terminal.keeping_view import print_pruned

    now = milliseconds_since_1970()
    with naming_db():
        removed = asyncio.run(_prune(db, now - DAY * older_than, now, does=yes))
    print_pruned(removed, is_done=yes)


async def _prune(db: str, before: int, now: int, *, does: bool) -> Pruned:
    from ggp.manager.store import retention
    from ggp.manager.store.database import opened
    from ggp.manager.store.dumps import check_is_current

    await check_is_current(db)
    if not does:
        async with opened(db) as database:
            return await database.read(retention.what_is_old, before, now)
    async with opened(db, alone=True) as database:
        removed = await retention.prune(database, before, now)
        await retention.give_back_space(db)
        return removed


def doctor(db: Db = DEFAULT_DB, submissions: Submissions = None, json: Json = False) -> None:
    """Look for faults in a manager's database and machine.

    It changes nothing, and the manager may be running. It checks the database (schema, damage,
    references to missing rows, sizes, free disk space), uploaded players, the clock, open files,
    and whether the Linux kernel can confine players. Exits with 1 if there is a fault.

    Examples:
        ggp manager doctor
        ggp manager doctor --db sqlite:///club.db --submissions uploads --json
    """
    require_packages()
    import asyncio

    from ggp.manager.doctor import examine
    from ggp.terminal.console import print_json
    from ggp.terminal.keeping_view import print_findings

    check_folder("--submissions", submissions)
    with naming_db():
        findings = asyncio.run(examine(db, submissions))
    if json:
        print_json([finding.to_json() for finding in findings])
    else:
        print_findings(findings)
    if any(finding.level == "fault" for finding in findings):
        raise typer.Exit(1)


def collect(
    folder: Annotated[
        Path, argument("FOLDER", "Folder for the copies. It is created if it does not exist.")
    ],
    submissions: Annotated[
        Path, option("FOLDER", "The manager's --submissions folder. This option is required.")
    ],
    db: Db = DEFAULT_DB,
) -> None:
    """Copy the files of students' players to a folder, under their names.

    Each player that a student has registered and not retired becomes a file STUDENT--PLAYER.py,
    which replaces an older copy of that name. Players that are left out, and files that were in the
    folder before, are named on standard error. players.csv in the folder lists the owner of each
    copy. The manager may be running. Use ggp grade on the files.

    Examples:
        ggp manager collect handed-in --submissions players
        ggp manager collect handed-in --submissions uploads --db sqlite:///club.db
    """
    require_packages()
    import asyncio

    from ggp.manager.collecting import collect as collected
    from ggp.terminal.keeping_view import print_collected

    check_folder("--submissions", submissions)
    check_folder("FOLDER", folder, is_made=True)
    with naming_db():
        print_collected(asyncio.run(collected(db, submissions, folder)), folder)
