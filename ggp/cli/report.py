"""`ggp report`: report how much each move of a match cost its role."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from ggp.cli.checks import check_saving, check_seconds, pointing_to_check, save_text
from ggp.cli.options import Engine, EngineOption, Json, argument, option

if TYPE_CHECKING:
    import gdl
    from ggp.report.match_line import MatchLine
    from ggp.report.match_report import MatchReport
    from ggp.rulesheets import NamedGame


def report(
    record: Annotated[
        Path, argument("RECORD", "A match saved by ggp match --save or by another game manager.")
    ],
    game: Annotated[
        str | None,
        option(
            "GAME",
            "The rules. Default: the bundled game with the same first state as the record.",
            "--game",
        ),
    ] = None,
    rounds: Annotated[
        int | None,
        option(
            "NUMBER",
            "Iterations of the search of each position. Default: a number that suits the game.",
            "--rounds",
            min=1,
        ),
    ] = None,
    seconds: Annotated[
        float | None,
        option(
            "SECONDS",
            "Maximum time for each turn, in seconds. Time that one turn does not "
            "need goes to the others. Without this option, only iterations count.",
            "--seconds",
            min=0.01,
        ),
    ] = None,
    html: Annotated[
        Path | None,
        option(
            "FILE",
            "Also write a page with a chart, and a picture of each position with a mistake.",
            "--html",
        ),
    ] = None,
    engine: EngineOption = Engine.AUTO,
    seed: Annotated[int, option("NUMBER", "Seed of the search.")] = 0,
    json: Json = False,
) -> None:
    """Report what each position of a match was worth, and which moves gave something away.

    If two roles take turns, the positions near the end are solved. The other positions are
    searched, from the last to the first. Moves that cost something are marked; if the cost is only
    an estimate, it must be large. The same record and options give the same report, unless
    --seconds ends a search early.

    Examples:
        ggp match connectFour greedy mcts --save match.json
        ggp report match.json --html report.html
    """
    import asyncio
    import math

    import gdl
    from ggp.records.record import ENDING_REASON
    from ggp.records.recording import read_record
    from ggp.report.analysis import ReportLimits, report_on
    from ggp.report.match_line import game_of, line_of, settled_text
    from ggp.report.page import explanations
    from ggp.rulesheets import find_game
    from ggp.terminal.console import print_json
    from ggp.terminal.progress import load_search_kernels
    from ggp.terminal.report_view import progress_bar, show

    if seconds is not None:
        check_seconds(seconds)
    check_saving("--html", html)
    read = read_record(record)
    found = game_of(read) if game is None else find_game(game)
    _warn(engine.value, rounds)
    load_search_kernels("ggp report", engine.value)
    with pointing_to_check(found.name):
        loaded = gdl.load(found.rulesheet, engine.value)
        reason = str(read.extra.get(ENDING_REASON, ""))
        settled = settled_text(read.goals, reason) if read.goals and reason else ""
        line = line_of(loaded, read.moves, read.errors, settled)
        with progress_bar() as progress:
            limits = ReportLimits(rounds, math.inf if seconds is None else seconds, seed)
            made = report_on(found.name, loaded, line, limits, progress)
    if html is not None:
        save_text(html, asyncio.run(_page(found, loaded, line, made)))
    if json:
        print_json({**made.to_json(), "explanations": explanations(made)})
    else:
        show(made)


def _warn(engine: gdl.Engine, rounds: int | None) -> None:
    import typer

    from ggp.report.estimating import INTERPRETED_ROUNDS
    from ggp.warming import kernels as warming

    if engine in {"auto", "lanes"} and warming.are_on_their_way():
        typer.echo(
            "ggp report: waiting until the kernels are compiled; --engine "
            "interpreter makes a less exact report at once",
            err=True,
        )
    if rounds is not None and rounds < INTERPRETED_ROUNDS:
        typer.echo(
            f"ggp report: {rounds} iterations for each position are few, so marks and "
            "accuracy may be wrong",
            err=True,
        )


async def _page(game: NamedGame, loaded: gdl.Game, line: MatchLine, made: MatchReport) -> str:
    from ggp.drawing.position_renderer import Painter
    from ggp.report.page import page

    painter = Painter(game)
    pictures = {}
    for move in made.mistakes:
        facts = [str(fact) for fact in loaded.facts(line.states[move.turn - 1])]
        pictures[move.turn] = await painter.svg([facts])
    return page(made, pictures)
