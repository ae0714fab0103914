"""`ggp bench reasoners`: how many random playouts each reasoner makes of a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.bench import MAX_SEED
from ggp.cli.bench_failures import check_seconds, load_kernels, measure_all

if TYPE_CHECKING:
    import gdl
    from ggp.cli.bench_games import Case
    from ggp.cli.progress import Progress

VERB = "ggp bench reasoners"
GAMES = ("ticTacToe", "connectFour", "breakthrough", "othello", "hex", "eightPuzzle")
ENGINES: dict[str, gdl.Engine] = {
    "table": "lanes",
    "straight": "lanes",
    "scalar": "scalar",
    "interpreter": "interpreter",
}
REASONERS = tuple(ENGINES)
LIMIT = 4096
"""After how many joint moves a playout is cut."""
UNITS = (
    "Playouts per second of CPU time, in one thread; table, straight: lanes by table and by\n"
    "straight-line code; -: it cannot play the game, or straight-line code is not faster there."
)


@dataclass(frozen=True, slots=True)
class Compared:
    """Comparison of the reasoners on a game.

    Attributes:
        name: Of the game.
        rates: Playouts per second of CPU time by reasoner; None where it cannot play the game.
        length: Mean length of a playout, in joint moves.
    """

    name: str
    rates: dict[str, float | None]
    length: float | None

    def to_json(self) -> dict[str, object]:
        """The figures, for programs."""
        return {
            "game": self.name,
            "playouts_per_cpu_second": self.rates,
            "mean_length": self.length,
        }


def reasoners(
    games: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="GAME|FILE...",
            help=f"Bundled games (see ggp games) or files; without any: {', '.join(GAMES)}.",
        ),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds",
            metavar="SECONDS",
            min=0.1,
            help="How long each reasoner plays each game, in seconds.",
        ),
    ] = 1.0,
    seed: Annotated[
        int, typer.Option(metavar="NUMBER", min=0, max=MAX_SEED, help="Seed of the random moves.")
    ] = 0,
    json: Annotated[bool, typer.Option("--json", metavar="", help="Print JSON.")] = False,
) -> None:
    """Play games at random on each reasoner, and tell how fast each is.

    The rates are playouts per second of CPU time in one thread, so that other work on the machine
    changes little. Exits with 1 if a game cannot be played, after all others have been.

    Examples:
        ggp bench reasoners
        ggp bench reasoners connectFour my.kif --seconds 3 --json
    """
    import gdl
    from ggp.cli.bench_games import Case

    check_seconds(seconds)
    cases = [Case.of(argument) for argument in games or GAMES]
    load_kernels(VERB, gdl.warm_up)
    work = partial(_compare, seconds=seconds, seed=seed)
    if not measure_all(VERB, cases, work, None if json else _print):
        raise typer.Exit(1)


def _compare(case: Case, progress: Progress, *, seconds: float, seed: int) -> Compared:
    """Measure all reasoners.

    Raises:
        GdlError: Not even the interpreter can play.
    """
    import gdl
    from ggp.cli.bench_games import Terms, bench

    rates: dict[str, float | None] = dict.fromkeys(REASONERS)
    length = None
    for reasoner in REASONERS:
        has_gear = reasoner == "straight"
        terms = Terms(seconds, 1, ENGINES[reasoner], has_gear, seed, LIMIT)
        try:
            found = bench(case, progress, terms=terms)
        except gdl.GroundingError:
            continue
        if found.has_gear == has_gear:
            rates[reasoner] = found.measured.playouts_per_cpu_second
        length = length or found.measured.mean_length
    return Compared(case.name, rates, length)


def _print(found: Sequence[Compared]) -> None:
    from ggp.cli.bench_view import NOTHING, figure
    from ggp.cli.console import console, table

    rows = [
        (
            one.name,
            *(NOTHING if rate is None else figure(rate) for rate in one.rates.values()),
            NOTHING if one.length is None else f"{one.length:.2f}",
        )
        for one in found
    ]
    console().print(table(("game", *REASONERS, "length"), rows, f"{','.join(REASONERS)},length"))
    print(UNITS)
