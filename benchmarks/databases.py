"""Databases for one test or measurement: a file, or a database of a PostgreSQL server."""

from __future__ import annotations

import secrets
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import create_async_engine


@asynccontextmanager
async def fresh(folder: Path, server: str = "") -> AsyncIterator[str]:
    """Create a new, empty database and yield its URL; delete it afterwards.

    Args:
        folder: Where its file is, if it is one.
        server: The URL of any database of a PostgreSQL server where we may make others; empty for
            an SQLite file.
    """
    if not server:
        yield f"sqlite:///{folder}/ggp.db"
        return
    name = f"ggp_{secrets.token_hex(8)}"
    engine = create_async_engine(server, isolation_level="AUTOCOMMIT")
    try:
        async with engine.connect() as connection:
            await connection.execute(text(f"create database {name} template template0"))
        try:
            shown = make_url(server).set(database=name)
            yield shown.render_as_string(hide_password=False)
        finally:
            async with engine.connect() as connection:
                # The server may not have noticed yet that a client was killed.
                await connection.execute(text(f"drop database {name} with (force)"))
    finally:
        await engine.dispose()
