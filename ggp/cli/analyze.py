"""`ggp analyze`: search a position and show the results."""

from __future__ import annotations

from contextlib import nullcontext
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from ggp.cli.checks import check_seconds, pointing_to_check
from ggp.cli.options import (
    Engine,
    EngineOption,
    GameOrFile,
    Json,
    Moves,
    PlayerOptions,
    flag,
    option,
    options_of,
)

if TYPE_CHECKING:
    import gdl
    from ggp.analysis.analysis import Analysis, Subject
    from ggp.players.searching import SearchPlayer
    from ggp.terminal.analyze_view import AnalyzeView

VERB = "ggp analyze"


def analyze(
    game: GameOrFile,
    moves: Moves = None,
    role: Annotated[
        str | None,
        option("ROLE", "Role to search for. Default: the first role that has a choice.", "--as"),
    ] = None,
    seconds: Annotated[
        float, option("SECONDS", "Search time in seconds.", "--seconds", min=0.01)
    ] = 5.0,
    player: Annotated[
        str,
        option(
            "PLAYER",
            "Player that searches, such as greedy or mcts:c=0.4. See ggp players.",
            "--player",
        ),
    ] = "mcts",
    option: PlayerOptions = None,
    engine: EngineOption = Engine.AUTO,
    seed: Annotated[
        int | None, option("NUMBER", "Seed of the search. Default: a different one each time.")
    ] = None,
    lines: Annotated[int, option("NUMBER", "Number of moves that the table shows.", min=1)] = 10,
    solve: Annotated[
        bool,
        flag(
            "Solve the game by mixed strategies, even if only simultaneous moves are hidden. Fail "
            "if that is impossible.",
            "--solve",
        ),
    ] = False,
    seen: Annotated[
        list[str] | None,
        option(
            "TURNS",
            "What the role did and saw, in place of --moves. Give a move and a list "
            "of percepts for each turn, such as 'noop ((got king))'. May be repeated.",
            "--seen",
        ),
    ] = None,
    chip: Annotated[
        float | None,
        option(
            "POINTS",
            "How many goal points one chip is worth. If it is given, the values of a "
            "solved game are also shown in chips.",
            "--chip",
            min=0.001,
            show_default=False,
        ),
    ] = None,
    json: Json = False,
) -> None:
    """Search a position and show moves, values, proofs and the expected line.

    The search ends early if everything is proven. Ctrl-C ends it and shows what is known so far.

    In a game of hidden information the command shows what the role knows: how many worlds agree
    with what it has seen and how likely each fact is. If the game is small enough to be solved, the
    command also shows how often the role should make each move.

    Examples:
        ggp analyze connectFour --moves '(drop 4) (drop 4) (drop 3)' --seconds 10
        ggp analyze ticTacToe --as oplayer --json
        ggp analyze kuhnPoker --as second --seen 'noop ((got jack)) noop ((says first pass))'
    """
    from ggp.search.hidden.solving.game_tree import hides_information
    from ggp.terminal.analyze_view import AnalyzeView
    from ggp.terminal.console import print_json

    check_seconds(seconds)
    if moves and seen:
        raise typer.BadParameter("expected either --moves or --seen, got both")
    options = options_of(option or [])
    with pointing_to_check(game):
        subject = _subject(game, moves or [], role, engine, (player, options), must_solve=solve)
    if not subject.is_over and (solve or seen or hides_information(subject.loaded)):
        limits = SolveLimits(seconds, lines, chip)
        with pointing_to_check(game):
            _solve(subject, seen or [], limits, must_solve=solve, is_json=json)
        return
    analysis = None if subject.is_over else _analysis(subject, player, options, seed)
    view = AnalyzeView(subject, lines)
    if not json:
        view.position()
    if analysis is not None:
        if _search(analysis, seconds, view, is_json=json):
            raise KeyboardInterrupt
    elif json:
        print_json(subject.to_json() | {"goals": subject.goals()})
    else:
        view.over()


def _subject(
    game: str,
    moves: list[str],
    role: str | None,
    engine: Engine,
    player: tuple[str, dict[str, str]],
    *,
    must_solve: bool,
) -> Subject:
    """Return the position to search. Report wrong arguments before anything is compiled."""
    import gdl
    from ggp.analysis.analysis import Subject, role_named
    from ggp.analysis.position import position_after
    from ggp.rulesheets import find_game
    from ggp.terminal.progress import engine_at_once, load_search_kernels

    found = find_game(game)
    slow = position_after(found.machine, found.rulesheet, moves)
    own = role_named(found.machine, role, slow.state)
    _searching(found.machine, own, *player)
    name: gdl.Engine = engine.value
    if must_solve or found.has_percepts:
        load_search_kernels(VERB, name)  # here the interpreter is no substitute
    else:
        name = engine_at_once(VERB, name, lambda text: typer.echo(f"{VERB}: {text}", err=True))
    loaded = gdl.load(found.rulesheet, name)
    position = position_after(loaded.machine, found.rulesheet, moves)
    chosen = role_named(loaded.machine, role, position.state)
    return Subject(found.name, loaded, position, chosen)


class SolveLimits(NamedTuple):
    """Limits for solving a game and for showing the solution."""

    seconds: float
    lines: int
    chip: float | None


def _solve(
    subject: Subject, seen: list[str], limits: SolveLimits, *, must_solve: bool, is_json: bool
) -> None:
    from ggp.analysis.analysis import ended_by_ctrl_c
    from ggp.analysis.role_view import advise, view_after, view_of_seen
    from ggp.clock import Deadline
    from ggp.search.hidden.solving.growing import UnsolvableError
    from ggp.search.hidden.solving.solution import TARGET
    from ggp.terminal.analyze_view import RoleViewer
    from ggp.terminal.console import print_json

    about = subject.name, subject.loaded, subject.role
    view = view_of_seen(*about, seen) if seen else view_after(*about, subject.position.moves)
    viewer = RoleViewer(view, limits.lines, limits.chip)
    if not is_json:
        viewer.position()
    deadline = Deadline.after(limits.seconds)
    advice, refusal = None, ""
    with ended_by_ctrl_c(deadline) as signals:
        try:
            advice = advise(view, deadline, TARGET)
        except UnsolvableError as error:
            if must_solve:
                raise
            refusal = str(error)
    if is_json:
        solution = None if advice is None else advice.to_json()
        print_json(view.to_json() | {"solution": solution, "unsolved": refusal or None})
    elif advice is not None:
        viewer.advice(advice)
    else:
        viewer.refusal(refusal)
    if signals:
        raise KeyboardInterrupt


def _analysis(subject: Subject, player: str, options: dict[str, str], seed: int | None) -> Analysis:
    from ggp.analysis.analysis import Analysis

    return Analysis(subject, _searching(subject.loaded, subject.role, player, options, seed))


def _searching(
    game: gdl.Game, role: gdl.Role, player: str, options: dict[str, str], seed: int | None = None
) -> SearchPlayer:
    from ggp.analysis.analysis import searching_player
    from ggp.players.options import PlayerSpecError

    try:
        return searching_player(player, game, role, options, seed)
    except PlayerSpecError as error:
        raise typer.BadParameter(str(error), param_hint="--player or --option") from error


def _search(analysis: Analysis, seconds: float, view: AnalyzeView, *, is_json: bool) -> bool:
    from ggp.analysis.analysis import ended_by_ctrl_c
    from ggp.clock import Deadline
    from ggp.terminal.console import print_json

    deadline = Deadline.after(seconds)
    live = nullcontext(lambda: None) if is_json else view.live(analysis.found)
    with ended_by_ctrl_c(deadline) as signals:
        with live as draw:
            analysis.run(deadline, draw)
        found = analysis.found()
        if is_json:
            print_json(analysis.subject.to_json() | found.thoughts)
        else:
            view.final(found)
    return bool(signals)
