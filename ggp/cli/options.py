"""Options and arguments that several verbs have, and what is read from them.

`ggp --help` needs them, so nothing is imported here that takes long. An option names itself only
where its metavar is that name in capitals, which typer would take for it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from ggp.errors import UnknownNameError, WrongUseError

MAX_CLOCK = 3600  # seconds; as `ggp serve` takes it
MAX_SEED = (1 << 63) - 1

# As in `ggp.players.registry`; written twice, so that `--help` need not import the players.
BUILT_IN = (
    *("alphabeta", "astar", "bestfirst", "bfs", "dfs", "expectimax", "expectiminimax", "greedy"),
    *("hidden", "ids", "legal", "mcts", "minimax", "montecarlo", "random"),
)
NAMED = f"{', '.join(BUILT_IN)} (see ggp players), or mine.py:Class for your own"
DEFAULT_OPPONENT = "mcts"
DEFAULT_HIDDEN_OPPONENT = "hidden"
"""In games of hidden information."""

_FOR_ROLE = re.compile(r"(?P<role>[^\s:=,./]+)=(?P<player>.+)")


class Engine(StrEnum):
    """Engine that plays the rules, see `gdl.load`."""

    AUTO = "auto"
    LANES = "lanes"
    SCALAR = "scalar"
    INTERPRETER = "interpreter"


class LogFormat(StrEnum):
    """Format of log lines."""

    TEXT = "text"
    JSON = "json"


class LogLevel(StrEnum):
    """The least that is logged."""

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
    """An option with a value; it needs a name only where its parameter is called as the metavar."""
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
    """An option without a value; with a name, the form `--no-NAME` is not offered."""
    return typer.Option(*names, metavar="", help=help, rich_help_panel=rich_help_panel)


def argument(metavar: str, help: str) -> Any:
    """An argument, called as the documentation calls it."""
    return typer.Argument(metavar=metavar, help=help)


GameArgument = Annotated[str, argument("GAME", "A bundled game (see ggp games) or a file.")]
GameOrFile = Annotated[str, argument("GAME|FILE", "A bundled game (see ggp games) or a file.")]
Rulesheets = Annotated[list[str], argument("FILE...", "Rulesheets, bundled games, or - for stdin.")]
EngineOption = Annotated[
    Engine,
    option(
        "ENGINE",
        "What plays the rules: lanes, scalar, interpreter, or auto for the fastest that works.",
        "--engine",
    ),
]
PlayerOptions = Annotated[
    list[str] | None,
    option(
        "KEY=VALUE", "An option of the player, see ggp players PLAYER; may be repeated.", "--option"
    ),
]
Moves = Annotated[
    list[str] | None,
    option(
        "MOVES",
        "Moves from the start, such as '(mark 1 1) (mark 2 2)'; may be repeated.",
        "--moves",
    ),
]
Json = Annotated[bool, flag("Print JSON.", "--json")]
AllowHost = Annotated[
    list[str] | None,
    option("HOST", "A host where players may run beside this one; may be repeated."),
]
Cluster = Annotated[
    str | None,
    option(
        "ADDRESS",
        "A Ray cluster that shares the work: HOST:PORT of its head, or auto for the one that "
        "this machine belongs to.",
        "--cluster",
        show_default=False,
    ),
]
Save = Annotated[
    Path | None,
    option(
        "FILE",
        "Save the record in GGP-Base's JSON; of several matches in FILE-1, FILE-2, ...",
        *("--save", "--record"),
    ),
]
MetricsPort = Annotated[
    int | None,
    option(
        "PORT",
        "Port where Prometheus finds metrics, under /metrics; without it, none.",
        min=1,
        max=65535,
    ),
]
MetricsHost = Annotated[str, option("HOST", "Address to listen on for --metrics-port.")]
LogFormatOption = Annotated[
    LogFormat,
    option("FORMAT", "Log lines for people (text) or for programs (json), on standard error."),
]
LogLevelOption = Annotated[
    LogLevel,
    option("LEVEL", "The least important lines to log: debug, info, warning or error."),
]
LOCAL_HOST = "127.0.0.1"
TOKEN_VARIABLE = "GGP_TOKEN"  # noqa: S105  # where a token stands, not one
Jobs = Annotated[int, option("NUMBER", "Searching players at once; 0: as many as cores.", min=0)]


def options_of(pairs: Sequence[str]) -> dict[str, str]:
    """The options in `KEY=VALUE` texts, by name.

    Raises:
        typer.BadParameter: A text has another form.
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
    """The player of each role but the person's, in role order.

    Args:
        texts: `PLAYER` for all other roles or, several of them, one a role in role order;
            `ROLE=PLAYER` for one role.
        default: Who plays a role that none of them is for.

    Raises:
        WrongUseError: There is no such role, or there are more or fewer players than roles.
    """
    if texts and not others:
        raise WrongUseError(f"--against: the game has no other role than {own}, got {texts[0]}")
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
            f"--against: {own} is yours; expected a player for {' or '.join(others)}, "
            "or another role with --as"
        )
    for role in others:
        if role.casefold() == name.casefold():
            return role
    raise WrongUseError(f"--against: {UnknownNameError('role', name, others)}")


def announce_metrics(host: str, port: int | None) -> None:
    """Say where the metrics are, if they are anywhere."""
    if port is not None:
        place = f"[{host}]" if ":" in host else host
        print(f"Metrics for Prometheus: http://{place}:{port}/metrics", flush=True)
