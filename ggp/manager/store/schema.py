"""The schema of the database: which one it has, and how it is brought up to date."""

from __future__ import annotations

import functools
import logging
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy.engine import Connection

from ggp.manager.store.location import DatabaseError, shown

_log = logging.getLogger(__name__)

MIGRATIONS = Path(__file__).parent / "migrations"


@functools.cache
def known_revisions() -> tuple[str, ...]:
    """Return the revisions of the migrations, the newest first."""
    scripts = ScriptDirectory(str(MIGRATIONS))
    return tuple(script.revision for script in scripts.walk_revisions())


def check_revision(revision: str) -> None:
    """See that this version can bring a database up to date.

    Raises:
        DatabaseError: It was made by a newer version, or by something else.
    """
    known = known_revisions()
    if not revision:
        raise DatabaseError("the database has no tables of a manager's")
    if revision not in known:
        raise DatabaseError(
            f"schema {revision}: expected at most {known[0]}, which this version has; "
            "install the version that wrote it, or a newer one, or restore a backup"
        )


def upgrade(connection: Connection) -> None:
    """Make the tables, or bring those that are there up to date.

    Raises:
        DatabaseError: They were made by a newer version.
    """
    name = f"database {shown(connection.engine.url)}"
    before = MigrationContext.configure(connection).get_current_revision()
    if before is not None:
        try:
            check_revision(before)
        except DatabaseError as error:
            raise DatabaseError(f"{name}: {error}") from error
    newest = known_revisions()[0]
    if before == newest:
        return
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    if before is not None:
        _log.info("%s: schema %s was brought up to %s", name, before, newest)
