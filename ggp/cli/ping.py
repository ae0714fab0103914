"""`ggp ping`: ask a player for INFO."""

from __future__ import annotations

from typing import Annotated

import typer

from ggp.cli.options import argument, option

MAX_SHOWN = 200  # maximum number of characters of the player's answer to show


def ping(
    url: Annotated[str, argument("URL", "Address of a player, such as http://host:9147.")],
    timeout: Annotated[
        float, option("SECONDS", "Most time to wait for the answer, in seconds.", min=0.1)
    ] = 5.0,
) -> None:
    """Report what a player answers to INFO, and how fast.

    Exits with 1 if the player cannot be reached or answers something else. GGP-Base gives a player
    1 second, and lets it play only if its status is "available".

    Examples:
        ggp ping http://127.0.0.1:9147
    """
    import asyncio

    from ggp.protocol import ConnectionFailedError, ReplyTimeoutError, shown
    from ggp.protocol.addresses import check_address, unreachable
    from ggp.protocol.client import info

    check_address(url)
    try:
        found = asyncio.run(info(url, timeout=timeout))
    except (ConnectionFailedError, ReplyTimeoutError) as error:
        raise unreachable(url, error) from error
    if not found.name and not found.status:
        got = f"got: {shown(found.text, MAX_SHOWN) or 'nothing'}"
        typer.echo(f"ggp ping: expected an answer to INFO from {url}, {got}", err=True)
        raise typer.Exit(1)
    rows = [
        ("name", found.name or "(not given)"),
        ("status", found.status or "(not given)"),
        *found.more,
        ("latency", f"{found.seconds * 1000:.1f} ms"),
    ]
    width = max(len(key) for key, _ in rows)
    for key, value in rows:
        print(f"{key:<{width}}  {shown(value, MAX_SHOWN)}")
