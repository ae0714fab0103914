"""`ggp bench playouts`: how fast the reasoners are."""

from __future__ import annotations

from enum import StrEnum
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.bench_failures import (
    Failures,
    check_seconds,
    check_threads,
    load_kernels,
    measure_all,
)
from ggp.cli.console import print_json
from ggp.cli.engines import Engine

if TYPE_CHECKING:
    from ggp.cli.bench_games import Case, Terms

VERB = "ggp bench playouts"
MAX_THREADS = 256
MAX_LIMIT = 1_000_000
MAX_SEED = (1 << 63) - 1


class Gear(StrEnum):
    """Gear that evaluates the gates of lanes."""

    AUTO = "auto"
    TABLE = "table"


def playouts(
    games: Annotated[
        list[str],
        typer.Argument(metavar="GAME|FILE...", help="Bundled games (see ggp games) or files."),
    ],
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds",
            metavar="SECONDS",
            min=0.1,
            help="How long each game is measured, in seconds of wall-clock time.",
        ),
    ] = 5.0,
    threads: Annotated[
        int,
        typer.Option(
            metavar="NUMBER", min=1, max=MAX_THREADS, help="How many threads play at once."
        ),
    ] = 1,
    engine: Annotated[
        Engine,
        typer.Option(
            "--engine",
            metavar="ENGINE",
            help="Who plays: lanes (hundreds of states at once), scalar (one state at a time), "
            "interpreter, or auto: the first of these that works.",
        ),
    ] = Engine.AUTO,
    gear: Annotated[
        Gear,
        typer.Option(
            "--gear",
            metavar="GEAR",
            help="How lanes play: by table, or auto: by straight-line code where that is faster.",
        ),
    ] = Gear.AUTO,
    seed: Annotated[
        int, typer.Option(metavar="NUMBER", min=0, max=MAX_SEED, help="Seed of the random moves.")
    ] = 0,
    limit: Annotated[
        int,
        typer.Option(
            metavar="NUMBER",
            min=16,
            max=MAX_LIMIT,
            help="After how many joint moves a playout is cut.",
        ),
    ] = 4096,
    signature: Annotated[
        bool,
        typer.Option(
            "--signature",
            metavar="",
            help="Print instead a figure of a fixed number of playouts, the same on every machine: "
            "if a change to the program moves it, the change altered play.",
        ),
    ] = False,
    json: Annotated[bool, typer.Option("--json", metavar="", help="Print JSON.")] = False,
) -> None:
    """Play games at random and tell how fast that goes.

    Counted is in wall-clock time: on a machine that does other work the rates are lower, and the
    column CPU says by how much. Exits with 1 if one of the games cannot be played, after all others
    have been.

    Examples:
        ggp bench playouts ticTacToe connectFour
        ggp bench playouts breakthrough --threads 2 --json
    """
    import gdl
    from ggp.cli.bench_games import Case, Terms

    check_seconds(seconds)
    cases = [Case.of(argument) for argument in games]  # see at once whether all of them are there
    terms = Terms(seconds, threads, engine.value, gear is Gear.AUTO, seed, limit)
    if engine is not Engine.INTERPRETER:
        load_kernels(VERB, gdl.warm_up)
    answer = _sign_all if signature else _bench_all
    is_complete = answer(cases, terms, json)
    if not is_complete:
        raise typer.Exit(1)


def _bench_all(cases: list[Case], terms: Terms, is_json: bool) -> bool:
    """Measure the games and print what was found; whether all could play."""
    from ggp.cli.bench_games import bench
    from ggp.cli.bench_view import print_benched

    check_threads(terms.threads)
    return measure_all(VERB, cases, partial(bench, terms=terms), None if is_json else print_benched)


def _sign_all(cases: list[Case], terms: Terms, is_json: bool) -> bool:
    """Print the signature of each game; whether all could play."""
    from ggp.cli.bench_games import sign

    failures = Failures(VERB)
    found: list[dict[str, str]] = []
    for case, signature in failures.each(cases, partial(sign, terms=terms)):
        found.append({"game": case.name, "signature": signature})
        if not is_json:
            print(case.name, signature, flush=True)
    if is_json:
        print_json(found)
    return not failures.any
