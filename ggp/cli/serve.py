"""`ggp serve`: wait for game managers and play the matches they start."""

from __future__ import annotations

import logging
from enum import StrEnum
from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.engines import HELP as ENGINE_HELP
from ggp.cli.engines import Engine
from ggp.cli.player_options import options_of

if TYPE_CHECKING:  # `ggp --help` must not load the server
    from ggp.server.config import ServerConfig

MEBIBYTE = 1 << 20
LEAST_MEMORY = (
    1024  # MB; in 512 no process gets as far as a move (ticTacToe, mcts), in 704 the second does
)

# A game to try a player's options on before any manager calls.
_TRIAL = "(role one) (init off) (legal one wait) (next on) (goal one 50) (<= terminal (true on))"


class LogFormat(StrEnum):
    """How log lines are written."""

    TEXT = "text"
    JSON = "json"


class LogLevel(StrEnum):
    """The least that is logged."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


def serve(
    host: Annotated[
        str,
        typer.Option(
            metavar="HOST", help="Address to listen on; 0.0.0.0 to be reached from elsewhere."
        ),
    ] = "127.0.0.1",
    port: Annotated[
        int,
        typer.Option(
            metavar="PORT", min=0, max=65535, help="Port to listen on; 0 takes any free one."
        ),
    ] = 9147,
    name: Annotated[
        str, typer.Option(metavar="NAME", help="What INFO answers; blanks become hyphens.")
    ] = "ggp-agent",
    player: Annotated[
        str,
        typer.Option(
            metavar="PLAYER", help="Who plays: mcts, greedy, random, legal or package.module:Class."
        ),
    ] = "mcts",
    option: Annotated[
        list[str] | None,
        typer.Option(metavar="KEY=VALUE", help="An option of the player; may be repeated."),
    ] = None,
    engine: Annotated[Engine, typer.Option(metavar="ENGINE", help=ENGINE_HELP)] = Engine.AUTO,
    margin: Annotated[
        float,
        typer.Option(
            metavar="SECONDS",
            min=0.0,
            help="Seconds before the clock's end at which an answer leaves at the latest; "
            "at most a quarter of the clock is used.",
        ),
    ] = 1.0,
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER", help="Seed of the player's choices; none: different each time."
        ),
    ] = None,
    max_matches: Annotated[
        int, typer.Option(metavar="NUMBER", min=1, help="Matches played at the same time.")
    ] = 4,
    max_startclock: Annotated[
        int,
        typer.Option(metavar="SECONDS", min=1, help="Longest startclock to accept, in seconds."),
    ] = 3600,
    max_playclock: Annotated[
        int, typer.Option(metavar="SECONDS", min=1, help="Longest playclock to accept, in seconds.")
    ] = 3600,
    max_body: Annotated[
        int, typer.Option(metavar="BYTES", min=1000, help="Longest message to accept, in bytes.")
    ] = 2_000_000,
    memory: Annotated[
        int,
        typer.Option(
            metavar="MB",
            min=0,
            help=f"Memory of each search process, in MB, from {LEAST_MEMORY} on; 0: no limit.",
        ),
    ] = 4096,
    log_format: Annotated[
        LogFormat,
        typer.Option(
            metavar="FORMAT",
            help="Log lines for people (text) or for programs (json), on standard error.",
        ),
    ] = LogFormat.TEXT,
    log_level: Annotated[
        LogLevel,
        typer.Option(
            metavar="LEVEL", help="The least important lines to log: debug, info, warning or error."
        ),
    ] = LogLevel.INFO,
) -> None:
    """Wait for game managers and play the matches they start.

    Register the address that is printed with GGP-Base, Gamemaster or a Dresden GameController; each
    is answered in its own dialect. Ctrl-C stops the server and every search.
    """
    import asyncio

    from ggp.engine import EngineConfig
    from ggp.protocol import Limits
    from ggp.server.app import serve as run
    from ggp.server.config import ServerConfig
    from ggp.server.log import set_up_logging

    _check_memory(memory)
    options = options_of(option or [])
    _check_player(player, options)
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
        max_matches=max_matches,
        max_body_bytes=max_body,
        limits=Limits(num_characters=max_body, startclock=max_startclock, playclock=max_playclock),
    )
    set_up_logging(log_format.value, logging.getLevelNamesMapping()[log_level.upper()])
    asyncio.run(run(config, lambda address: _tell(config, address)))
    print("stopped")


def _check_memory(memory: int) -> None:
    """Refuse what no search process can play in: it would be replaced again and again."""
    if 0 < memory < LEAST_MEMORY:
        raise typer.BadParameter(
            f"expected 0 for no limit, or {LEAST_MEMORY} MB and more, got {memory}: what a search "
            "process loads takes 700 MB of its address space",
            param_hint="--memory",
        )


def _check_player(player: str, options: dict[str, str]) -> None:
    """Make the player once, so that a slip in its name shows now and not at the first START."""
    import gdl
    from ggp.errors import GgpError
    from ggp.players import registry

    machine = gdl.load(gdl.read_kif(_TRIAL), "interpreter")
    try:
        registry.create(player, machine, machine.roles[0], options)
    except GgpError as error:
        raise typer.BadParameter(str(error), param_hint="--player or --option") from error


def _tell(config: ServerConfig, address: str) -> None:
    print(f"{config.public_name()} ({config.engine.player}) is waiting. Register this address:")
    print(f"    {address}", flush=True)
    if config.host in {"0.0.0.0", "::"}:  # noqa: S104  # compared, not bound
        print("From elsewhere, put this machine's own name or address in it.", flush=True)
