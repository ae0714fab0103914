"""`ggp manager`: host matches and tournaments, and show them in a browser."""

from __future__ import annotations

from typing import Annotated

import typer

from ggp.cli.databases import naming_db
from ggp.cli.hosting_options import AllowHost, Jobs


def manager(
    host: Annotated[
        str,
        typer.Option(
            metavar="HOST",
            help="Address to listen on; any but this machine's own asks for a token.",
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(
            metavar="PORT", min=0, max=65535, help="Port to listen on; 0 takes any free one."
        ),
    ] = 8080,
    db: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="Database: sqlite:///FILE or postgresql+asyncpg://USER@HOST/NAME.",
        ),
    ] = "sqlite:///ggp.db",
    allow_host: AllowHost = None,
    token: Annotated[
        str | None,
        typer.Option(
            metavar="TOKEN", help="What who comes must know; made up where one is needed."
        ),
    ] = None,
    jobs: Jobs = 0,
) -> None:
    """Host matches and tournaments, and show them in a browser.

    Players are registered by address or started here by name. Everything is kept in a database; a
    manager that is stopped in the middle goes on where it was. Ctrl-C stops it.
    """
    import asyncio
    import logging
    import os
    import secrets

    from ggp.manager.app import serve
    from ggp.manager.config import ManagerConfig, is_loopback

    if token is None and not is_loopback(host):
        token = secrets.token_urlsafe(24)
    config = ManagerConfig(
        host=host,
        port=port,
        database=db,
        token=token,
        allowed_hosts=frozenset(name.lower() for name in allow_host or ()),
        num_cores=jobs or os.cpu_count() or 1,
    )
    logging.basicConfig(level=logging.WARNING, format="%(asctime)s %(levelname)s %(message)s")
    with naming_db():
        asyncio.run(serve(config, lambda address: _tell(config, address)))
    print("stopped")


def _tell(config: object, address: str) -> None:
    from ggp.manager.config import ManagerConfig

    assert isinstance(config, ManagerConfig)
    print("The game manager is open. Its pages:")
    print(f"    {address}" + (f"/?token={config.token}" if config.token else ""))
    print(f"It keeps everything in {config.database}. Ctrl-C stops it.", flush=True)
