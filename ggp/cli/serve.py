"""`ggp serve`: wait for game managers, and play the matches that they start."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.checks import check_without_game, require_metrics
from ggp.cli.options import (
    BUILT_IN,
    LOCAL_HOST,
    NAMED,
    Engine,
    EngineOption,
    LogFormat,
    LogFormatOption,
    LogLevel,
    LogLevelOption,
    MetricsHost,
    MetricsPort,
    PlayerOptions,
    announce_metrics,
    option,
    options_of,
)

if TYPE_CHECKING:  # `ggp --help` must not load the server
    from ggp.listener.bounds import Network
    from ggp.server.config import ServerConfig

MEBIBYTE = 1 << 20
NO_PAGE = "none"
CONNECTIONS_A_MATCH = 8  # twice the number of clients that may wait in one match
MIN_MEMORY = 1024
"""In megabytes.

With 512 MB no search process of mcts reaches its first move in ticTacToe. With 704 MB the second
process does, after the first one has failed.
"""


def serve(
    host: Annotated[
        str,
        option("HOST", "Address to listen on. 0.0.0.0 lets other machines connect.", "--host"),
    ] = "127.0.0.1",
    port: Annotated[
        int, option("PORT", "Port to listen on. 0 takes any free port.", "--port", min=0, max=65535)
    ] = 9147,
    name: Annotated[
        str, option("NAME", "Name in the answer to INFO. Blanks become hyphens.", "--name")
    ] = "ggp-agent",
    player: Annotated[str, option("PLAYER", f"Player: {NAMED}.", "--player")] = "mcts",
    option: PlayerOptions = None,
    engine: EngineOption = Engine.AUTO,
    margin: Annotated[
        float | None,
        option(
            "SECONDS",
            "Margin: send each answer at least this many seconds before the end of "
            "the clock, but use at most a quarter of the clock as margin. Default: a "
            "tenth of the clock, 0.15 to 0.35 s. The time that messages travel and "
            "the delays of this machine are added to the margin.",
            min=0.0,
        ),
    ] = None,
    seed: Annotated[
        int | None,
        option("NUMBER", "Seed of the player's choices. Default: a different one each time."),
    ] = None,
    allow_client: Annotated[
        list[str] | None,
        option(
            "NETWORK",
            "An address or network that may connect, such as 192.0.2.0/24. May be repeated. "
            "Default: any address.",
        ),
    ] = None,
    allow_page: Annotated[
        list[str] | None,
        option(
            "ORIGIN",
            "Website whose pages may send messages from a browser, such as "
            "https://example.org, or none to allow no page. May be repeated. "
            "Default: any page, but pages together play at most half of the matches.",
        ),
    ] = None,
    one_manager: Annotated[
        list[str] | None,
        option(
            "NETWORK",
            "A network whose addresses count as one manager. May be repeated. Only the manager "
            "that began a match may send messages about it.",
        ),
    ] = None,
    max_matches: Annotated[
        int, option("NUMBER", "Maximum number of matches at the same time.", min=1)
    ] = 4,
    max_startclock: Annotated[
        int, option("SECONDS", "Longest startclock to accept, in seconds.", min=1)
    ] = 3600,
    max_playclock: Annotated[
        int, option("SECONDS", "Longest playclock to accept, in seconds.", min=1)
    ] = 3600,
    max_body: Annotated[
        int, option("BYTES", "Longest message to accept, in bytes.", min=1000)
    ] = 2_000_000,
    memory: Annotated[
        int,
        option(
            "MB",
            f"Memory of each search process in MB, at least {MIN_MEMORY}. 0: no limit.",
            min=0,
        ),
    ] = 4096,
    metrics_port: MetricsPort = None,
    metrics_host: MetricsHost = LOCAL_HOST,
    log_format: LogFormatOption = LogFormat.TEXT,
    log_level: LogLevelOption = LogLevel.INFO,
) -> None:
    """Wait for game managers and play the matches they start.

    Register the printed address with GGP-Base, Gamemaster or a Dresden GameController. The server
    answers each in its own dialect. Ctrl-C stops the server and every search.

    Examples:
        ggp serve --host 0.0.0.0 --player mcts --option threads=2
        ggp serve --port 9148 --player alphabeta
    """
    import asyncio

    from ggp.engine import EngineConfig
    from ggp.log import set_up_logging
    from ggp.protocol import MessageLimits
    from ggp.server.app import serve as run
    from ggp.server.config import MAX_CONNECTIONS, ServerConfig

    _check_memory(memory)
    require_metrics(metrics_port)
    options = options_of(option or [])
    if player not in BUILT_IN or options:  # a built-in player without options is always valid
        check_without_game(player, options, "--player or --option")
    config = ServerConfig(
        host=host,
        port=port,
        name=name,
        engine=EngineConfig(
            player=player,
            options=options,
            seed=seed,
            memory_bytes=memory * MEBIBYTE,
            reasoner=engine.value,
        ),
        margin=margin,
        allowed_clients=_networks(allow_client, "--allow-client"),
        allowed_pages=_pages(allow_page),
        one_manager=_networks(one_manager, "--one-manager"),
        max_matches=max_matches,
        max_connections=max(MAX_CONNECTIONS, CONNECTIONS_A_MATCH * max_matches),
        max_body_bytes=max_body,
        metrics_host=metrics_host,
        metrics_port=metrics_port,
        limits=MessageLimits(
            num_characters=max_body, startclock=max_startclock, playclock=max_playclock
        ),
    )
    set_up_logging(log_format.value, log_level.value)
    asyncio.run(run(config, lambda address: _announce(config, address)))
    print("stopped")


def _check_memory(memory: int) -> None:
    """Refuse a memory limit so low that search processes would die and be replaced forever."""
    if 0 < memory < MIN_MEMORY:
        raise typer.BadParameter(
            f"expected 0 for no limit, or at least {MIN_MEMORY} MB, got {memory}, "
            "because a search process needs 700 MB of address space for its modules "
            "alone",
            param_hint="--memory",
        )


def _networks(texts: list[str] | None, option: str) -> tuple[Network, ...]:
    from ggp.listener.bounds import NetworkError, network_of

    try:
        return tuple(map(network_of, texts or ()))
    except NetworkError as error:
        raise typer.BadParameter(str(error), param_hint=option) from error


def _pages(origins: list[str] | None) -> tuple[str, ...]:
    """Return the origins in the form that browsers send. The origin of a local page is `null`."""
    from urllib.parse import urlsplit

    from ggp.server.config import ANY_PAGE

    if origins is None:
        return (ANY_PAGE,)
    for origin in origins:
        parts = urlsplit(origin)
        is_whole = bool(parts.scheme and parts.netloc) and not (parts.path or parts.query)
        if origin not in {NO_PAGE, "null"} and not is_whole:
            expected = "expected none, or an origin without a path such as https://example.org"
            raise typer.BadParameter(f"{expected}, got {origin}", param_hint="--allow-page")
    return tuple(origin.lower() for origin in origins if origin != NO_PAGE)


def _announce(config: ServerConfig, address: str) -> None:
    print(
        f"{config.public_name()} ({config.engine.player}) is ready to play. Enter "
        "this address in a game manager:"
    )
    print(f"    {address}", flush=True)
    if config.host in {"0.0.0.0", "::"}:  # noqa: S104  # a comparison, which binds no port
        print(
            "If the manager runs on another machine, replace the host in the address "
            "by this machine's name or address.",
            flush=True,
        )
    announce_metrics(config.metrics_host, config.metrics_port)
