"""PostgreSQL's own programs, `pg_dump` and `pg_restore`, run on a database that a URL names."""

from __future__ import annotations

import asyncio
import os
from typing import Any, Final

from sqlalchemy.engine import URL

from ggp.manager.store.location import DatabaseError, shown

PASSED_ON: Final = {"host": "PGHOST", "port": "PGPORT", "ssl": "PGSSLMODE", "sslmode": "PGSSLMODE"}
"""Of what may stand behind the question mark of a URL: how these programs are told."""


async def run(program: str, *arguments: str, url: URL) -> str:
    """Run a program of PostgreSQL's on a database; what it prints."""
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
            f"there is no program {program}; install PostgreSQL's programs for clients, on "
            "Debian `apt install postgresql-client`"
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
    """What tells PostgreSQL's programs of a database; no list of processes shows it."""
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
