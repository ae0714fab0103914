"""`ggp mcp`: offer games as tools to language models."""

from __future__ import annotations

from typing import Annotated

from ggp.cli.checks import require
from ggp.cli.options import LOCAL_HOST, TOKEN_VARIABLE, flag, option
from ggp.errors import WrongUseError


def mcp(
    hide_legal: Annotated[
        bool,
        flag(
            "Do not list legal moves, so that players must find them from the rules.",
            "--hide-legal",
        ),
    ] = False,
    http: Annotated[
        str | None,
        option(
            "[HOST:]PORT",
            "Serve several clients over HTTP at this address, path /mcp, until Ctrl-C. Port 0 "
            "takes any free port. Addresses other than local ones require a token.",
            "--http",
        ),
    ] = None,
    token: Annotated[
        str | None,
        option(
            "TOKEN",
            "With --http: token that clients must send as Authorization: Bearer TOKEN. If one is "
            f"needed and none is given, the server generates one. The variable {TOKEN_VARIABLE} "
            "sets it without showing it in the list of processes.",
            "--token",
        ),
    ] = None,
    name: Annotated[
        list[str] | None,
        option(
            "HOST",
            "With --http: a name by which clients reach this server, for example the name of a "
            "proxy in front of it. May be repeated.",
            "--name",
        ),
    ] = None,
) -> None:
    """Give language models any game as tools: play, search, explain, write and check rules.

    It speaks the Model Context Protocol on standard input and output. A client starts it, and it
    ends with that client. With --http it serves several clients. A refused call is answered with
    the reason and with what to do instead.

    Examples:
        ggp mcp
        ggp mcp --hide-legal
        ggp mcp --http 9149
        ggp mcp --http 0.0.0.0:9149 --name games.example.org
    """
    require(["mcp"], "the server of tools", "mcp")
    if http is None:
        for flag_name, value in (("--token", token), ("--name", name)):
            if value:
                raise WrongUseError(f"{flag_name} needs --http as well")
        from ggp.mcp_server.server import run_stdio

        run_stdio(hides_legal=hide_legal)
        return
    _serve(http, token, name or [], hides_legal=hide_legal)


def _serve(place: str, token: str | None, names: list[str], *, hides_legal: bool) -> None:
    import asyncio
    import os
    import secrets

    from ggp.listener.bounds import is_loopback
    from ggp.mcp_server.http import ServerAddress, serve_http
    from ggp.mcp_server.server import make_server

    host, port = _address(place)
    token = os.environ.get(TOKEN_VARIABLE) if token is None else token
    if token is None and not is_loopback(host):
        token = secrets.token_urlsafe(24)
        print(f"Clients must send  Authorization: Bearer {token}")
    server_address = ServerAddress(host, port, frozenset(one.lower() for one in names), token or "")
    asyncio.run(serve_http(make_server(hides_legal=hides_legal), server_address, _announce))


def _announce(address: str) -> None:
    print(f"Model Context Protocol at {address}", flush=True)


def _address(place: str) -> tuple[str, int]:
    """Split `HOST:PORT`, `[HOST]:PORT` or `PORT` into host and port.

    Raises:
        WrongUseError: The text has none of these forms.
    """
    host, _, port = place.rpartition(":")
    if not port.isascii() or not port.isdecimal() or int(port) > 65535 or place.startswith(":"):
        raise WrongUseError(f"--http: expected PORT or HOST:PORT, such as 9149, got {place}")
    return host.strip("[]") or LOCAL_HOST, int(port)
