"""Options and arguments that several verbs share, and functions that parse their values.

`ggp --help` imports this module, so it must not import anything slow. If an option's metavar is the
parameter's name in capitals, such as `HOST` for `host`, give the option's own name (`--host`) as
well. Otherwise typer takes the metavar for the option's name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from ggp.errors import UnknownNameError, WrongUseError

MAX_CLOCK = 3600  # in seconds; the same limit as in `ggp serve`
MAX_SEED = (1 << 63) - 1

# The names in `ggp.players.registry`, repeated here so that `--help` does not import the players.
BUILT_IN = (
    *("alphabeta", "astar", "bestfirst", "bfs", "dfs", "expectimax", "expectiminimax", "greedy"),
    *("hidden", "ids", "legal", "mcts", "minimax", "montecarlo", "random"),
)
NAMED = f"{', '.join(BUILT_IN)} (see ggp players), or mine.py:Class for your own"
DEFAULT_OPPONENT = "mcts"
DEFAULT_HIDDEN_OPPONENT = "hidden"
"""The default opponent in games with hidden information."""

_FOR_ROLE = re.compile(r"(?P<role>[^\s:=,./]+)=(?P<player>.+)")


class Engine(StrEnum):
    """Reasoner to play with, as in `gdl.load`."""

    AUTO = "auto"
    LANES = "lanes"
    SCALAR = "scalar"
    INTERPRETER = "interpreter"


class LogFormat(StrEnum):
    """Format of log lines."""

    TEXT = "text"
    JSON = "json"


class LogLevel(StrEnum):
    """The lowest level of messages to log."""

    DEBUG = "debug"
    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


def option(
    metavar: str,
    help: str,
    *names: str,
    min: float | None = None,
    max: float | None = None,
    show_default: bool = True,
    rich_help_panel: str | None = None,
) -> Any:
    """Declare an option with a value.

    Give `names`, such as `--host`, if the metavar is the parameter's name in capitals.
    """
    return typer.Option(
        *names,
        metavar=metavar,
        help=help,
        min=min,
        max=max,
        show_default=show_default,
        rich_help_panel=rich_help_panel,
    )


def flag(help: str, *names: str, rich_help_panel: str | None = None) -> Any:
    """Declare an option without a value. If `names` are given, there is no option `--no-NAME`."""
    return typer.Option(*names, metavar="", help=help, rich_help_panel=rich_help_panel)


def argument(metavar: str, help: str) -> Any:
    """Declare an argument under the name that the documentation uses."""
    return typer.Argument(metavar=metavar, help=help)


GameArgument = Annotated[str, argument("GAME", "A bundled game (see ggp games) or a file.")]
GameOrFile = Annotated[str, argument("GAME|FILE", "A bundled game (see ggp games) or a file.")]
Rulesheets = Annotated[list[str], argument("FILE...", "Rulesheets, bundled games, or - for stdin.")]
EngineOption = Annotated[
    Engine,
    option(
        "ENGINE",
        "Reasoner: lanes, scalar, interpreter, or auto for the fastest one that works.",
        "--engine",
    ),
]
PlayerOptions = Annotated[
    list[str] | None,
    option(
        "KEY=VALUE",
        "An option of the player, see ggp players PLAYER. May be repeated.",
        "--option",
    ),
]
Moves = Annotated[
    list[str] | None,
    option(
        "MOVES",
        "Moves from the start, such as '(mark 1 1) (mark 2 2)'. May be repeated.",
        "--moves",
    ),
]
Json = Annotated[bool, flag("Print JSON.", "--json")]
AllowHost = Annotated[
    list[str] | None,
    option("HOST", "Another host on which players may run. May be repeated."),
]
Cluster = Annotated[
    str | None,
    option(
        "ADDRESS",
        "A Ray cluster that shares the work: HOST:PORT of its head, or auto for the cluster of "
        "this machine.",
        "--cluster",
        show_default=False,
    ),
]
Save = Annotated[
    Path | None,
    option(
        "FILE",
        "Save the record in GGP-Base's JSON. Several matches go to FILE-1, FILE-2, ...",
        *("--save", "--record"),
    ),
]
MetricsPort = Annotated[
    int | None,
    option(
        "PORT",
        "Port on which Prometheus finds metrics under /metrics. Without it, there are none.",
        min=1,
        max=65535,
    ),
]
MetricsHost = Annotated[str, option("HOST", "Address to listen on for --metrics-port.")]
LogFormatOption = Annotated[
    LogFormat,
    option("FORMAT", "Log format on standard error: text for people, json for programs."),
]
LogLevelOption = Annotated[
    LogLevel,
    option("LEVEL", "Least important lines to log: debug, info, warning or error."),
]
LOCAL_HOST = "127.0.0.1"
TOKEN_VARIABLE = "GGP_TOKEN"  # noqa: S105  # the name of the variable, not a token
Jobs = Annotated[
    int, option("NUMBER", "Number of searching players at once. 0: as many as cores.", min=0)
]


def options_of(pairs: Sequence[str]) -> dict[str, str]:
    """Parse `KEY=VALUE` texts into a dictionary.

    Raises:
        typer.BadParameter: A text does not have this form.
    """
    options: dict[str, str] = {}
    for pair in pairs:
        key, equals, value = pair.partition("=")
        if not equals or not key.strip():
            raise typer.BadParameter(f"expected KEY=VALUE, got {pair!r}", param_hint="--option")
        options[key.strip()] = value.strip()
    return options


def opponents(
    others: Sequence[str], own: str, texts: Sequence[str], default: str = DEFAULT_OPPONENT
) -> dict[str, str]:
    """Return the player of each role in `others`, by role, in role order.

    Args:
        others: The roles that the person does not play.
        own: The role that the person plays.
        texts: `ROLE=PLAYER` names the player of one role. A single `PLAYER` plays all remaining
            roles. Several `PLAYER` play one remaining role each, in role order.
        default: The player of roles that `texts` gives no player.

    Raises:
        WrongUseError: A role does not exist, or there are more or fewer players than roles.
    """
    if texts and not others:
        raise WrongUseError(f"--against: the game has no role other than {own}, got {texts[0]}")
    named: dict[str, str] = {}
    plain: list[str] = []
    for text in texts:
        match = _FOR_ROLE.fullmatch(text)
        if match is None:
            plain.append(text)
        else:
            named[_role(match["role"], others, own)] = match["player"]
    rest = [role for role in others if role not in named]
    if len(plain) > 1 and len(plain) != len(rest):
        raise WrongUseError(
            f"--against: expected one player, or one for each of {', '.join(rest) or 'no role'}; "
            f"got {len(plain)}: {', '.join(plain)}"
        )
    players = plain if len(plain) == len(rest) else (plain or [default]) * len(rest)
    chosen = named | dict(zip(rest, players, strict=True))
    return {role: chosen[role] for role in others}


def _role(name: str, others: Sequence[str], own: str) -> str:
    if name.casefold() == own.casefold():
        raise WrongUseError(
            f"--against: {own} is your own role, so it needs no player; name a player "
            f"for {' or '.join(others)}, or choose another role with --as"
        )
    for role in others:
        if role.casefold() == name.casefold():
            return role
    raise WrongUseError(f"--against: {UnknownNameError('role', name, others)}")


def announce_metrics(host: str, port: int | None) -> None:
    """Print the address of the metrics, unless `port` is None."""
    if port is not None:
        from ggp.listener.address import http_address

        print(f"Metrics for Prometheus: {http_address(host, port)}/metrics", flush=True)
