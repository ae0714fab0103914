"""The place of a database: its URL, and the file of an SQLite one.

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
"""Mode of files that nobody else may read."""
ASYNC_DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}


class DatabaseError(GgpError):
    """The database cannot be opened or used; the message says which and why."""


class DatabaseUrlError(DatabaseError):
    """A URL that leads to no database: malformed, of another kind, or of a missing folder."""


def shown(url: URL) -> str:
    """A URL as a person writes it: without the driver that is chosen here, and the password."""
    if url.get_backend_name() == "sqlite":
        url = url.set(drivername="sqlite")
    return url.render_as_string(hide_password=True)


def parsed_url(url: str) -> URL:
    """A URL with the driver that is used here.

    Raises:
        DatabaseUrlError: It is none.
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
    """See that a file can be there: the driver leaves a thread behind where it cannot."""
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
    """See that the file of an SQLite database can be made, where it is not there.

    Raises:
        DatabaseUrlError: It cannot.
    """
    file = Path(str(url.database))
    if not file.exists() and not os.access(file.parent, os.W_OK):
        raise DatabaseUrlError(
            f"database {shown(url)}: nothing may be written in the folder {file.parent}"
        )


def make_file(url: URL) -> None:
    """Make the file of an SQLite database, for nobody else to read; what SQLite adds is like it."""
    name = str(url.database or ":memory:")
    if url.get_backend_name() == "sqlite" and not name.startswith((":", "file:")):
        check_may_make(url)
        with suppress(OSError):  # SQLite says it better
            Path(name).touch(PRIVATE, exist_ok=False)
