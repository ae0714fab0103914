"""Running PostgreSQL's own programs, such as `pg_dump` and `pg_restore`, on a database."""

from __future__ import annotations

import asyncio
import os
from typing import Any, Final

from sqlalchemy.engine import URL

from ggp.manager.store.location import DatabaseError, shown

PASSED_ON: Final = {"host": "PGHOST", "port": "PGPORT", "ssl": "PGSSLMODE", "sslmode": "PGSSLMODE"}
"""Maps options in the query of a URL to the environment variables that these programs read."""


async def run(program: str, *arguments: str, url: URL) -> str:
    """Run one of PostgreSQL's programs on a database, and return its output.

    Raises:
        DatabaseError: The program is not installed, or it failed.
    """
    try:
        process = await asyncio.create_subprocess_exec(
            program,
            *arguments,
            env=_environment(url),
            stdin=asyncio.subprocess.DEVNULL,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE,
        )
    except FileNotFoundError:
        raise DatabaseError(
            f"there is no program {program}; install PostgreSQL's client programs, on "
            "Debian with `apt install postgresql-client`"
        ) from None
    try:
        said, errors = await process.communicate()
    except BaseException:
        process.kill()
        await process.wait()
        raise
    if process.returncode:
        first = errors.decode(errors="replace").strip().partition("\n")[0]
        raise DatabaseError(f"database {shown(url)}: {first or f'{program} failed'}")
    return said.decode(errors="replace")


def _environment(url: URL) -> dict[str, str]:
    """Return the database and the password as environment variables, which process lists hide."""
    named: dict[str, Any] = {
        "PGHOST": url.host,
        "PGPORT": url.port,
        "PGUSER": url.username,
        "PGPASSWORD": url.password,
        "PGDATABASE": url.database,
    }
    for name, variable in PASSED_ON.items():
        value = url.query.get(name)
        if isinstance(value, str):
            named[variable] = "require" if value == "true" else value
    given = {name: str(value) for name, value in named.items() if value not in {None, ""}}
    return {**os.environ, **given}
