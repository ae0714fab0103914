"""The schema of the database: checking its revision and upgrading it."""

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
    """Return the revisions of the migrations, newest first."""
    scripts = ScriptDirectory(str(MIGRATIONS))
    return tuple(script.revision for script in scripts.walk_revisions())


def check_revision(revision: str) -> None:
    """Check that this version of the program can upgrade a database.

    Raises:
        DatabaseError: A newer version, one before 0.9.0 or another program made the database.
    """
    known = known_revisions()
    if not revision:
        raise DatabaseError("the database has no tables of a game manager")
    if revision.isdecimal() and revision < known[-1]:
        raise DatabaseError(
            f"schema {revision}: expected at least {known[-1]}, the schema of version 0.9.0; "
            "upgrade it with ggp-agent 0.9.0, whose manager does so when it starts"
        )
    if revision not in known:
        raise DatabaseError(
            f"schema {revision}: expected at most {known[0]}, the schema of this version; "
            "install the version that wrote it or a newer one, or restore a backup"
        )


def upgrade(connection: Connection) -> None:
    """Create the tables, or upgrade existing ones.

    Raises:
        DatabaseError: A newer version made the tables, or one before 0.9.0.
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
        _log.info("%s: upgraded schema %s to %s", name, before, newest)
