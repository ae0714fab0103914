"""`ggp bench search`: how much a search does in a second."""

from __future__ import annotations

from functools import partial
from typing import Annotated

import typer

from ggp.cli.bench import MAX_SEED, MAX_THREADS
from ggp.cli.bench_failures import check_seconds, check_threads, load_kernels, measure_all

VERB = "ggp bench search"
MAX_ITERATIONS = 1_000_000_000


def search(
    games: Annotated[
        list[str],
        typer.Argument(metavar="GAME|FILE...", help="Bundled games (see ggp games) or files."),
    ],
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds", metavar="SECONDS", min=0.1, help="How long each search lasts, in seconds."
        ),
    ] = 5.0,
    player: Annotated[
        str,
        typer.Option(
            "--player",
            metavar="PLAYER",
            help="Whose search it is: a player that keeps a tree, as for ggp match, such as "
            "mcts:c=0.5.",
        ),
    ] = "mcts",
    threads: Annotated[
        int,
        typer.Option(
            metavar="NUMBER", min=1, max=MAX_THREADS, help="How many threads search at once."
        ),
    ] = 1,
    iterations: Annotated[
        int | None,
        typer.Option(
            metavar="NUMBER",
            min=1,
            max=MAX_ITERATIONS,
            help="Iterations of the search that the signature is made of; without it 16384 on "
            "lanes, and 512 in Python.",
            show_default=False,
        ),
    ] = None,
    seed: Annotated[
        int,
        typer.Option(metavar="NUMBER", min=0, max=MAX_SEED, help="Seed of the random choices."),
    ] = 0,
    json: Annotated[bool, typer.Option("--json", metavar="", help="Print JSON.")] = False,
) -> None:
    """Search games from their first state and tell how fast that goes.

    Exits with 1 if one of the games cannot be played, after all others have been.

    Examples:
        ggp bench search connectFour othello
        ggp bench search breakthrough --player mcts:c=0.5 --seconds 10
    """
    from ggp.cli.bench_games import Case
    from ggp.cli.bench_searching import SearchTerms, bench_search, check_player
    from ggp.cli.bench_view import print_searched
    from ggp.search.arrays.warming import warm_up

    terms = SearchTerms(player, seconds, threads, iterations, seed)
    check_seconds(seconds)
    check_player(terms)
    check_threads(threads)
    cases = [Case.of(argument) for argument in games]  # see at once whether all of them are there
    load_kernels(VERB, warm_up)
    show = None if json else print_searched
    is_complete = measure_all(VERB, cases, partial(bench_search, terms=terms), show)
    if not is_complete:
        raise typer.Exit(1)
