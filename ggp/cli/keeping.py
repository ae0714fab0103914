"""`ggp manager backup` and the other verbs that care for what a manager keeps."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from ggp.cli.checks import check_saving, naming_db, require_packages
from ggp.cli.options import argument, flag, option

Db = Annotated[
    str,
    option(
        "URL", "Database of the manager: sqlite:///FILE or postgresql+asyncpg://USER@HOST/NAME."
    ),
]
DEFAULT_DB = "sqlite:///ggp.db"
Submissions = Annotated[
    Path | None,
    typer.Option(
        metavar="FOLDER",
        file_okay=False,
        help="The folder of --submissions of the manager: players that people have uploaded.",
    ),
]


def backup(
    file: Annotated[Path, argument("FILE", "The backup, a new file.")],
    db: Db = DEFAULT_DB,
    submissions: Submissions = None,
) -> None:
    """Write all that a manager keeps to one file, also while it runs.

    It has what was committed at one moment, and is checked before it gets its name. For PostgreSQL
    pg_dump is needed. Whoever has the file has all that the manager knows, but no passwords.

    Examples:
        ggp manager backup ggp-monday.backup
        ggp manager backup club.backup --db sqlite:///club.db --submissions uploads
    """
    require_packages()
    import asyncio

    from ggp.manager.backup import write_backup
    from ggp.terminal.keeping_view import print_backup

    check_saving("FILE", file)
    with naming_db():
        manifest = asyncio.run(write_backup(db, file, submissions))
    print_backup(file, manifest)


def restore(
    file: Annotated[Path, argument("FILE", "A backup.")],
    db: Db = DEFAULT_DB,
    submissions: Submissions = None,
    check: Annotated[bool, flag("Only read all of the backup, and tell whether it is whole.")] = (
        False
    ),
) -> None:
    """Make the database of a manager anew from a backup, or check one.

    The database must not be there yet, or be an empty one of PostgreSQL. A backup of SQLite can be
    restored to PostgreSQL as well. Everything is read and compared before anything is written, and
    again afterwards.

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
    with naming_db():
        manifest = asyncio.run(restore_backup(file, db, submissions))
    print_backup(file, manifest)
    print(f"restored to {db}")
