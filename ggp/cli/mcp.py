"""`ggp mcp`: games as tools for language models."""

from __future__ import annotations

from typing import Annotated

from ggp.cli.checks import require_model_context
from ggp.cli.options import LOCAL_HOST, TOKEN_VARIABLE, flag, option
from ggp.errors import CommandFailedError, WrongUseError


def mcp(
    hide_legal: Annotated[
        bool, flag("Do not list legal moves: players find them in the rules.", "--hide-legal")
    ] = False,
    http: Annotated[
        str | None,
        option(
            "[HOST:]PORT",
            "Serve several clients over HTTP there, until Ctrl-C; port 0 takes any free one. Any "
            "host but this machine's own asks for a token.",
            "--http",
        ),
    ] = None,
    token: Annotated[
        str | None,
        option(
            "TOKEN",
            "With --http: what who comes must know; made up where one is needed. "
            f"The variable {TOKEN_VARIABLE} says it as well, and no list of processes shows that.",
            "--token",
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        option(
            "HOST",
            "With --http: a name under which clients reach this server, as that of a proxy before "
            "it; may be repeated.",
            "--name",
        ),
    ] = None,
) -> None:
    """Give language models any game as tools: play, search, explain, write and check rules.

    It speaks the Model Context Protocol on standard input and output; a client starts it, and all
    ends with that client. With --http it serves several. What is refused says why, and what would
    be right.

    Examples:
        ggp mcp
        ggp mcp --hide-legal
        ggp mcp --http 9149
        ggp mcp --http 0.0.0.0:9149 --name games.example.org
    """
    require_model_context()
    if http is None:
        for flag_name, value in (("--token", token), ("--name", name)):
            if value:
                raise WrongUseError(f"{flag_name}: expected --http as well")
        from ggp.mcp_server.server import run_stdio

        run_stdio(hides_legal=hide_legal)
        return
    _serve(http, token, name or [], hides_legal=hide_legal)


def _serve(place: str, token: str | None, names: list[str], *, hides_legal: bool) -> None:
    import asyncio
    import os
    import secrets

    from ggp.listener.bounds import is_loopback
    from ggp.mcp_server.http import AddressError, Door, serve_http
    from ggp.mcp_server.server import make_server

    host, port = _address(place)
    token = os.environ.get(TOKEN_VARIABLE) if token is None else token
    if token is None and not is_loopback(host):
        token = secrets.token_urlsafe(24)
        print(f"Clients must send  Authorization: Bearer {token}")
    try:
        door = Door(host, port, frozenset(one.lower() for one in names), token or "")
        asyncio.run(serve_http(make_server(hides_legal=hides_legal), door, _announce))
    except AddressError as error:
        raise CommandFailedError(str(error)) from error


def _announce(address: str) -> None:
    print(f"Model Context Protocol at {address}", flush=True)


def _address(place: str) -> tuple[str, int]:
    """The host and port of `HOST:PORT`, `[HOST]:PORT` or `PORT`.

    Raises:
        WrongUseError: The text is none of these.
    """
    host, _, port = place.rpartition(":")
    if not port.isascii() or not port.isdecimal() or int(port) > 65535 or place.startswith(":"):
        raise WrongUseError(f"--http: expected PORT or HOST:PORT, such as 9149, got {place}")
    return host.strip("[]") or LOCAL_HOST, int(port)
