"""`ggp analyze`: what a search thinks of a position."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.console import print_json
from ggp.cli.engines import HELP as ENGINE_HELP
from ggp.cli.engines import Engine
from ggp.cli.match import pointing_to_check
from ggp.cli.player_options import options_of

if TYPE_CHECKING:
    from ggp.cli.analysis import Analysis, Case, Found


def analyze(
    game: Annotated[
        str, typer.Argument(metavar="GAME|FILE", help="A bundled game (see ggp games) or a file.")
    ],
    moves: Annotated[
        list[str] | None,
        typer.Option(
            "--moves",
            metavar="MOVES",
            help="Moves from the start, such as '(mark 1 1) (mark 2 2)'; may be repeated.",
        ),
    ] = None,
    role: Annotated[
        str | None,
        typer.Option("--as", metavar="ROLE", help="For which role; else one that has a choice."),
    ] = None,
    seconds: Annotated[
        float,
        typer.Option(
            "--seconds", metavar="SECONDS", min=0.01, help="How long to search, in seconds."
        ),
    ] = 5.0,
    player: Annotated[
        str,
        typer.Option(
            "--player",
            metavar="PLAYER",
            help="Whose search: mcts, greedy, mcts:c=0.4 (see ggp players).",
        ),
    ] = "mcts",
    option: Annotated[
        list[str] | None,
        typer.Option(
            metavar="KEY=VALUE",
            help="An option of the player, see ggp players PLAYER; may be repeated.",
        ),
    ] = None,
    engine: Annotated[
        Engine, typer.Option("--engine", metavar="ENGINE", help=ENGINE_HELP)
    ] = Engine.AUTO,
    seed: Annotated[
        int | None,
        typer.Option(metavar="NUMBER", help="Seed of the search; none: different each time."),
    ] = None,
    lines: Annotated[
        int, typer.Option(metavar="NUMBER", min=1, help="How many moves the table shows.")
    ] = 10,
    json: Annotated[bool, typer.Option("--json", metavar="", help="Print JSON.")] = False,
) -> None:
    """Search a position, and show what is found: moves, values, what is proven, what is expected.

    It ends before its time when everything is proven. Ctrl-C shows what is known so far.

    Examples:
        ggp analyze connectFour --moves '(drop 4) (drop 4) (drop 3)' --seconds 10
        ggp analyze ticTacToe --as oplayer --json
    """
    if not math.isfinite(seconds):
        raise typer.BadParameter(f"--seconds: expected a number of seconds, got {seconds}")
    options = options_of(option or [])
    with pointing_to_check(game):
        case = _case(game, moves or [], role, engine)
    if case.is_over:
        _show_end(case, json)
        return
    analysis = _analysis(case, player, options, seed)
    is_interrupted = _search(case, analysis, seconds, None if json else lines)
    if is_interrupted:
        raise KeyboardInterrupt


def _case(game: str, moves: list[str], role: str | None, engine: Engine) -> Case:
    """The position; what is wrong with it is found out before anything is compiled."""
    import gdl
    from ggp.cli.analysis import Case, role_named
    from ggp.cli.position import position_after
    from ggp.cli.rules import find_game

    found = find_game(game)
    slow = position_after(found.machine, found.rulesheet, moves)
    role_named(found.machine, role, slow.state)
    warm_up(engine, "ggp analyze")
    loaded = gdl.load(found.rulesheet, engine.value)
    position = position_after(loaded, found.rulesheet, moves)
    chosen = role_named(loaded.machine, role, position.state)
    return Case(found.name, loaded, position, chosen)


def warm_up(engine: Engine, command: str) -> None:
    """Load what all games share, so that no search's time has it in; say so if it is compiled."""
    if engine in {Engine.INTERPRETER, Engine.SCALAR}:
        return
    from ggp.cli.bench_failures import load_kernels
    from ggp.search.arrays import warming

    load_kernels(command, warming.warm_up)


def _analysis(case: Case, player: str, options: dict[str, str], seed: int | None) -> Analysis:
    from ggp.cli.analysis import Analysis, searching_player
    from ggp.players.options import PlayerSpecError

    try:
        found = searching_player(player, case.loaded, case.role, options, seed)
    except PlayerSpecError as error:
        raise typer.BadParameter(str(error), param_hint="--player or --option") from error
    return Analysis(case, found)


def _search(case: Case, analysis: Analysis, seconds: float, lines: int | None) -> bool:
    """Search and print, JSON if there are no lines to show; whether Ctrl-C ended it."""
    from ggp.cli.analysis import ended_by_ctrl_c
    from ggp.cli.analyze_view import AnalyzeView
    from ggp.clock import Deadline

    view = None if lines is None else AnalyzeView(case, lines)
    if view is not None:
        view.position()
    deadline = Deadline.after(seconds)
    with ended_by_ctrl_c(deadline) as signals:
        if view is None:
            analysis.run(deadline, lambda: None)
        else:
            with view.live(analysis.found) as draw:
                analysis.run(deadline, draw)
        found = analysis.found()
        if view is None:
            _print_json(case, found)
        else:
            view.final(found)
    return bool(signals)


def _show_end(case: Case, is_json: bool) -> None:
    """The goals of a game that is over."""
    if is_json:
        print_json(case.to_json() | {"goals": case.goals()})
        return
    from ggp.cli.analyze_view import AnalyzeView

    view = AnalyzeView(case, 1)
    view.position()
    view.over()


def _print_json(case: Case, found: Found) -> None:
    print_json(case.to_json() | found.thoughts)
