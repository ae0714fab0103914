"""The location of a database: its URL and, for SQLite, its file.

sqlite:///ggp.db    sqlite+aiosqlite:////var/lib/ggp.db    postgresql+asyncpg://me@host/ggp
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from typing import Final

from sqlalchemy.engine import URL, make_url
from sqlalchemy.exc import ArgumentError

from ggp.errors import GgpError, reason_of

PRIVATE: Final = 0o600
"""Mode of files that only their owner may read."""
ASYNC_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}


class DatabaseError(GgpError):
    """An error in opening or using a database. The message names the database and the reason."""


class DatabaseUrlError(DatabaseError):
    """The database URL is malformed, of an unsupported kind, or names a missing file or folder."""


def shown(url: URL) -> str:
    """Return a URL as people write it: without SQLite's driver, and with the password hidden."""
    if url.get_backend_name() == "sqlite":
        url = url.set(drivername="sqlite")
    return url.render_as_string(hide_password=True)


def parsed_url(url: str) -> URL:
    """Parse a URL and set the driver that the manager uses.

    Raises:
        DatabaseUrlError: The URL is malformed or names another kind of database.
    """
    try:
        parsed = make_url(url)
    except ArgumentError:
        hint = f"; did you mean sqlite:///{url}?" if url and "://" not in url else ""
        raise DatabaseUrlError(
            f"database {url!r}: expected sqlite:///FILE or postgresql+asyncpg://USER@HOST/NAME"
            + hint
        ) from None
    driver = ASYNC_DRIVERS.get(parsed.get_backend_name())
    if driver is None:
        kinds = " or ".join(ASYNC_DRIVERS)
        raise DatabaseUrlError(f"database {url!r}: expected {kinds}, got {parsed.drivername}")
    return parsed.set(drivername=driver)


def check_folder(url: URL) -> None:
    """Check that SQLite can open or create the file.

    If opening failed in the driver instead, the driver would leave a thread behind.

    Raises:
        DatabaseUrlError: The file cannot be read, or its folder is missing.
    """
    if url.get_backend_name() == "sqlite" and url.database not in {None, "", ":memory:"}:
        file = Path(str(url.database))
        try:
            with file.open("rb") as stream:
                stream.read(1)
        except (FileNotFoundError, NotADirectoryError):
            pass
        except OSError as error:
            raise DatabaseUrlError(f"database {shown(url)}: {reason_of(error)}") from error
        folder = file.parent
        if not folder.is_dir():
            raise DatabaseUrlError(
                f"database {shown(url)}: unable to open database file: there is no folder {folder}"
            )


def check_may_make(url: URL) -> None:
    """Check that the file of an SQLite database exists or can be created.

    Raises:
        DatabaseUrlError: The file is missing, and its folder is not writable.
    """
    file = Path(str(url.database))
    if not file.exists() and not os.access(file.parent, os.W_OK):
        raise DatabaseUrlError(f"database {shown(url)}: the folder {file.parent} is not writable")


def make_file(url: URL) -> None:
    """Create the file of an SQLite database so that only its owner may read it.

    SQLite gives the same mode to the files that it adds.
    """
    name = str(url.database or ":memory:")
    if url.get_backend_name() == "sqlite" and not name.startswith((":", "file:")):
        check_may_make(url)
        with suppress(OSError):  # SQLite's own error message is better
            Path(name).touch(PRIVATE, exist_ok=False)
