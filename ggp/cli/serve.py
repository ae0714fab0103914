"""`ggp serve`: wait for game managers and play the matches they start."""

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
CONNECTIONS_A_MATCH = 8  # twice as many as may wait in one
LEAST_MEMORY = 1024
"""MB: in 512 no process gets as far as a move (ticTacToe, mcts), in 704 the second one does."""


def serve(
    host: Annotated[
        str, option("HOST", "Address to listen on; 0.0.0.0 to be reached from elsewhere.", "--host")
    ] = "127.0.0.1",
    port: Annotated[
        int, option("PORT", "Port to listen on; 0 takes any free one.", "--port", min=0, max=65535)
    ] = 9147,
    name: Annotated[
        str, option("NAME", "What INFO answers; blanks become hyphens.", "--name")
    ] = "ggp-agent",
    player: Annotated[str, option("PLAYER", f"Who plays: {NAMED}.", "--player")] = "mcts",
    option: PlayerOptions = None,
    engine: EngineOption = Engine.AUTO,
    margin: Annotated[
        float,
        option(
            "SECONDS",
            "Seconds before the clock's end at which an answer leaves at the latest; "
            "at most a quarter of the clock is used.",
            min=0.0,
        ),
    ] = 1.0,
    seed: Annotated[
        int | None, option("NUMBER", "Seed of the player's choices; none: different each time.")
    ] = None,
    allow_client: Annotated[
        list[str] | None,
        option(
            "NETWORK",
            "An address or network that may connect; may be repeated. Without: everybody.",
        ),
    ] = None,
    allow_page: Annotated[
        list[str] | None,
        option(
            "ORIGIN",
            "Site whose pages, shown in a browser, may send messages, such as "
            "https://example.org; none for no page. May be repeated. Without: any page, but all "
            "together play at most half of the matches.",
        ),
    ] = None,
    one_manager: Annotated[
        list[str] | None,
        option(
            "NETWORK",
            "A network whose addresses are one manager; may be repeated. A match is spoken "
            "of only by who began it.",
        ),
    ] = None,
    max_matches: Annotated[int, option("NUMBER", "Matches played at the same time.", min=1)] = 4,
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
            f"Memory of each search process, in MB, from {LEAST_MEMORY} on; 0: no limit.",
            min=0,
        ),
    ] = 4096,
    metrics_port: MetricsPort = None,
    metrics_host: MetricsHost = LOCAL_HOST,
    log_format: LogFormatOption = LogFormat.TEXT,
    log_level: LogLevelOption = LogLevel.INFO,
) -> None:
    """Wait for game managers and play the matches they start.

    Register the address that is printed with GGP-Base, Gamemaster or a Dresden GameController; each
    is answered in its own dialect. Ctrl-C stops the server and every search.

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
    if player not in BUILT_IN or options:  # else nothing can be wrong, and nobody waits for it
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
    """Refuse what no search process can play in: it would be replaced again and again."""
    if 0 < memory < LEAST_MEMORY:
        raise typer.BadParameter(
            f"expected 0 for no limit, or {LEAST_MEMORY} MB and more, got {memory}: what a search "
            "process loads takes 700 MB of its address space",
            param_hint="--memory",
        )


def _networks(texts: list[str] | None, option: str) -> tuple[Network, ...]:
    from ggp.listener.bounds import NetworkError, network_of

    try:
        return tuple(map(network_of, texts or ()))
    except NetworkError as error:
        raise typer.BadParameter(str(error), param_hint=option) from error


def _pages(origins: list[str] | None) -> tuple[str, ...]:
    """The origins as browsers write them; a page without an address calls itself `null`."""
    from urllib.parse import urlsplit

    from ggp.server.config import ANY_PAGE

    if origins is None:
        return (ANY_PAGE,)
    for origin in origins:
        parts = urlsplit(origin)
        is_whole = bool(parts.scheme and parts.netloc) and not (parts.path or parts.query)
        if origin not in {NO_PAGE, "null"} and not is_whole:
            expected = "expected an origin such as https://example.org, without a path, or none"
            raise typer.BadParameter(f"{expected}, got {origin}", param_hint="--allow-page")
    return tuple(origin.lower() for origin in origins if origin != NO_PAGE)


def _announce(config: ServerConfig, address: str) -> None:
    print(f"{config.public_name()} ({config.engine.player}) is waiting. Register this address:")
    print(f"    {address}", flush=True)
    if config.host in {"0.0.0.0", "::"}:  # noqa: S104  # compared, not bound
        print("From elsewhere, put this machine's own name or address in it.", flush=True)
    announce_metrics(config.metrics_host, config.metrics_port)
