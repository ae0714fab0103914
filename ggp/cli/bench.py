"""`ggp bench`: measure how fast reasoners and searches are."""

from __future__ import annotations

import os
from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.checks import check_seconds, check_threads, check_without_game
from ggp.cli.options import MAX_CLOCK, MAX_SEED, Engine, Json, argument, flag, option

if TYPE_CHECKING:
    from ggp.bench.reasoners import Case, PlayoutTerms

MAX_THREADS = 256
MAX_LIMIT = 1_000_000
MAX_ITERATIONS = 1_000_000_000
MAX_TURNS = 1000
COMPARED = ("ticTacToe", "connectFour", "breakthrough", "othello", "hex", "eightPuzzle")


Games = Annotated[list[str], argument("GAME|FILE...", "Bundled games (see ggp games) or files.")]
SeedOfMoves = Annotated[int, option("NUMBER", "Seed of the random moves.", min=0, max=MAX_SEED)]
SeedOfChoices = Annotated[int, option("NUMBER", "Seed of the random choices.", min=0, max=MAX_SEED)]


def playouts(
    games: Games,
    seconds: Annotated[
        float,
        option(
            "SECONDS",
            "Wall-clock time for measuring each game, in seconds.",
            "--seconds",
            min=0.1,
        ),
    ] = 5.0,
    threads: Annotated[
        int,
        option(
            "NUMBER",
            "Number of threads that play. The interpreter uses only one.",
            min=1,
            max=MAX_THREADS,
        ),
    ] = 1,
    engine: Annotated[
        Engine,
        option(
            "ENGINE",
            "Reasoner: lanes (hundreds of states at once), scalar (one state at a "
            "time), interpreter, or auto for the first of these that can play the "
            "game.",
            "--engine",
        ),
    ] = Engine.AUTO,
    seed: SeedOfMoves = 0,
    limit: Annotated[
        int, option("NUMBER", "Cut playouts after this many turns.", min=16, max=MAX_LIMIT)
    ] = 4096,
    signature: Annotated[
        bool,
        flag(
            "Print instead a signature of a fixed number of playouts. It is the same on every "
            "machine, so a change of the program that changes it has altered play.",
            "--signature",
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Play random games and report how fast that goes.

    Rates are per second of wall-clock time. They are lower if the machine does other work; the
    column CPU says by how much. Exits with 1 if one of the games cannot be played, after measuring
    all the others.

    Examples:
        ggp bench playouts ticTacToe connectFour
        ggp bench playouts breakthrough --threads 2 --json
    """
    import gdl
    from ggp.bench.reasoners import Case, PlayoutTerms, measure_playouts
    from ggp.terminal.bench_view import measure_all, print_playouts
    from ggp.terminal.progress import load_kernels

    verb = "ggp bench playouts"
    check_seconds(seconds)
    cases = [Case.of(argument) for argument in games]  # report a missing game before measuring
    terms = PlayoutTerms(seconds, threads, engine.value, seed, limit)
    if engine is not Engine.INTERPRETER:
        load_kernels(verb, gdl.warm_up)
    if signature:
        _sign_all(verb, cases, terms, json)
        return
    check_threads(threads)
    work = partial(measure_playouts, terms=terms)
    measure_all(verb, cases, work, None if json else print_playouts)


def reasoners(
    games: Annotated[
        list[str] | None,
        argument(
            "GAME|FILE...",
            f"Bundled games (see ggp games) or files. Default: {', '.join(COMPARED)}.",
        ),
    ] = None,
    seconds: Annotated[
        float,
        option("SECONDS", "Time for each reasoner in each game, in seconds.", "--seconds", min=0.1),
    ] = 1.0,
    seed: SeedOfMoves = 0,
    json: Json = False,
) -> None:
    """Play random games with each reasoner and report how fast each is.

    The rates are playouts per second of CPU time in one thread, so other work on the machine
    changes them little. Exits with 1 if a game cannot be played, after measuring all the others.

    Examples:
        ggp bench reasoners
        ggp bench reasoners connectFour my.kif --seconds 3 --json
    """
    import gdl
    from ggp.bench.reasoners import Case, compare
    from ggp.terminal.bench_view import measure_all, print_compared
    from ggp.terminal.progress import load_kernels

    verb = "ggp bench reasoners"
    check_seconds(seconds)
    cases = [Case.of(argument) for argument in games or COMPARED]
    load_kernels(verb, gdl.warm_up)
    work = partial(compare, seconds=seconds, seed=seed)
    measure_all(verb, cases, work, None if json else print_compared)


def search(
    games: Games,
    seconds: Annotated[
        float, option("SECONDS", "Time for each search, in seconds.", "--seconds", min=0.1)
    ] = 5.0,
    player: Annotated[
        str,
        option(
            "PLAYER",
            "Player whose search is measured, such as mcts:c=0.5. It must keep a tree.",
            "--player",
        ),
    ] = "mcts",
    threads: Annotated[
        int,
        option(
            "NUMBER",
            "Number of threads that search, if the player can use several.",
            min=1,
            max=MAX_THREADS,
        ),
    ] = 1,
    iterations: Annotated[
        int | None,
        option(
            "NUMBER",
            "Iterations of the search in one thread whose hash is shown as the signature, to see "
            "whether two versions search alike. Default: 16384 on lanes, 512 in Python.",
            min=1,
            max=MAX_ITERATIONS,
            show_default=False,
        ),
    ] = None,
    seed: SeedOfChoices = 0,
    json: Json = False,
) -> None:
    """Search games from their first state and report how fast that goes.

    Exits with 1 if one of the games cannot be played, after measuring all the others.

    Examples:
        ggp bench search connectFour othello
        ggp bench search breakthrough --player mcts:c=0.5 --seconds 10
    """
    from ggp.bench.reasoners import Case
    from ggp.bench.searches import SearchTerms, check_player, measure_search
    from ggp.terminal.bench_view import measure_all, print_searches
    from ggp.terminal.progress import load_kernels
    from ggp.warming.kernels import warm_up

    verb = "ggp bench search"
    terms = SearchTerms(player, seconds, threads, iterations, seed)
    check_seconds(seconds)
    check_player(terms)
    check_without_game(player, {}, "--player")
    check_threads(threads)
    cases = [Case.of(argument) for argument in games]  # report a missing game before measuring
    load_kernels(verb, warm_up)
    work = partial(measure_search, terms=terms)
    measure_all(verb, cases, work, None if json else print_searches)


def match(
    games: Games,
    startclock: Annotated[
        int, option("SECONDS", "Startclock: time to prepare, in seconds.", min=1, max=MAX_CLOCK)
    ] = 10,
    playclock: Annotated[
        int, option("SECONDS", "Playclock: time for each move, in seconds.", min=1, max=MAX_CLOCK)
    ] = 2,
    turns: Annotated[
        int,
        option(
            "NUMBER",
            "End each match after this many turns with a choice.",
            "--turns",
            min=1,
            max=MAX_TURNS,
        ),
    ] = 6,
    player: Annotated[
        str, option("PLAYER", "Player to measure, see ggp match. It must keep a tree.", "--player")
    ] = "mcts",
    seconds: Annotated[
        float,
        option(
            "SECONDS",
            "Time for the ggp bench search that each match is compared with, in seconds.",
            "--seconds",
            min=0.1,
        ),
    ] = 5.0,
    one_core: Annotated[
        bool,
        flag(
            "Let all processes share one core, as if an opponent ran on the same machine (on "
            "Linux).",
            "--one-core",
        ),
    ] = False,
    cold: Annotated[
        bool,
        flag(
            "Begin as after an install: also compile the kernels that all games share, while the "
            "match is played.",
            "--cold",
        ),
    ] = False,
    seed: SeedOfChoices = 0,
    json: Json = False,
) -> None:
    """Play matches of games never seen before and report how fast the search is in each turn.

    For each game the command starts a server as ggp serve does, with an empty cache. The server
    plays the first role against random moves. The table shows its iterations in each turn next to
    those of ggp bench search in the same time, when everything is compiled. Exits with 1 if one of
    the games cannot be played, after measuring all the others.

    Examples:
        ggp bench match breakthrough othello
        ggp bench match hex my.kif --startclock 30 --playclock 5 --one-core
    """
    from ggp.bench.reasoners import Case
    from ggp.bench.searches import SearchTerms, check_player
    from ggp.bench.served_match import ServedTerms, measure_served_match
    from ggp.terminal.bench_view import measure_all, print_served
    from ggp.terminal.progress import load_kernels
    from ggp.warming.kernels import warm_up

    verb = "ggp bench match"
    terms = ServedTerms(
        player=player,
        startclock=startclock,
        playclock=playclock,
        num_turns=turns,
        seconds=seconds,
        seed=seed,
        is_one_core=one_core,
        is_cold=cold,
    )
    check_seconds(seconds)
    check_player(SearchTerms(player, seconds, 1, 1, seed))
    check_without_game(player, {}, "--player")
    if one_core and not hasattr(os, "sched_setaffinity"):
        raise typer.BadParameter("expected Linux", param_hint="--one-core")
    cases = [Case.of(argument) for argument in games]  # report a missing game before measuring
    load_kernels(verb, warm_up)
    work = partial(measure_served_match, terms=terms)
    measure_all(verb, cases, work, None if json else print_served)


def _sign_all(verb: str, cases: list[Case], terms: PlayoutTerms, is_json: bool) -> None:
    from ggp.bench.reasoners import sign_playouts
    from ggp.terminal.bench_view import each_playable
    from ggp.terminal.console import print_json

    found: list[dict[str, str]] = []
    for case, signature in each_playable(verb, cases, partial(sign_playouts, terms=terms)):
        found.append({"game": case.name, "signature": signature})
        if not is_json:
            print(case.name, signature, flush=True)
    if is_json:
        print_json(found)
    if len(found) < len(cases):
        raise typer.Exit(1)
