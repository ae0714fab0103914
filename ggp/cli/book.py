"""`ggp book`: build a book of a game, and show a book."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ggp import games as bundled
from ggp.cli.checks import check_saving, on_cluster, pointing_to_check
from ggp.cli.options import Cluster, GameOrFile, Json, Moves, argument, option
from ggp.errors import WrongUseError

if TYPE_CHECKING:
    from ggp.search.evaluation.book.book import Book
    from ggp.training.books.building import BuildSettings

SUFFIX = ".book"


def build(
    game: GameOrFile,
    out: Annotated[
        Path | None,
        option("FILE", "File to write. Default: GAME.book in the current folder.", "--out", "-o"),
    ] = None,
    seconds: Annotated[
        float, option("SECONDS", "Time for building, in seconds.", "--seconds", min=0.1)
    ] = 60.0,
    states: Annotated[
        int,
        option(
            "NUMBER",
            "Approximate maximum number of states to look at. A million takes up to "
            "200 MB of memory.",
            min=1,
        ),
    ] = 5_000_000,
    games: Annotated[
        int,
        option(
            "NUMBER", "Maximum number of games of self-play, if the game cannot be solved.", min=1
        ),
    ] = 100,
    plies: Annotated[
        int, option("NUMBER", "Number of plies of these games that count as the opening.", min=0)
    ] = 6,
    think: Annotated[
        float, option("SECONDS", "Search time for each opening state, in seconds.", min=0.01)
    ] = 1.0,
    rounds: Annotated[
        int | None,
        option(
            "NUMBER",
            "Iterations of the search for each opening state, however long they "
            "take. With this option, the same seed gives the same games.",
            min=1,
            show_default=False,
        ),
    ] = None,
    seed: Annotated[int, option("NUMBER", "Seed of the self-play.")] = 0,
    cluster: Cluster = None,
) -> None:
    """Build a book. A small game is solved completely, a large one at both ends.

    A small game is solved backwards from its final states. In a large game, self-play finds an
    opening, and the states near the ends are solved. Players use the book with --option book=FILE.
    With --cluster the machines of a cluster share the self-play; solving stays on this machine.

    Examples:
        ggp book build ticTacToe
        ggp match ticTacToe mcts:book=ticTacToe.book alphabeta
    """
    from ggp.search.evaluation.book.file import write_book
    from ggp.terminal.book_view import print_book
    from ggp.training.books.building import BuildSettings
    from ggp.training.books.exploring import ExploreLimits
    from ggp.training.books.selfplay import SelfPlaySettings

    if not math.isfinite(seconds) or not math.isfinite(think):
        raise typer.BadParameter(
            "expected a finite number of seconds", param_hint="--seconds or --think"
        )
    play = SelfPlaySettings(plies=plies, seconds=think, rounds=rounds, seed=seed)
    limits = ExploreLimits(states=states, moves=12 * states)
    name = Path(game).stem
    file = out or Path(f"{name}{SUFFIX}")
    check_saving("--out", file)
    settings = BuildSettings(limits, games, play, is_on_cluster=cluster is not None)
    with on_cluster(cluster), pointing_to_check(game):
        book = _built(game, name, seconds, settings)
    num_bytes = write_book(book, file)
    print_book(book, file)
    typer.echo(f"{file}: {num_bytes:,} bytes")


def _built(game: str, name: str, seconds: float, settings: BuildSettings) -> Book:
    import gdl
    from ggp.clock import Deadline
    from ggp.rulesheets import find_rules
    from ggp.terminal.progress import load_search_kernels, progress
    from ggp.training.books.building import build as build_book

    rulesheet = find_rules(game)
    load_search_kernels("ggp book build", "auto")
    with progress(name) as report:
        report("compiling")
        machine = gdl.load(rulesheet)
        return build_book(machine, name, Deadline.after(seconds), settings, report)


def show(
    book: Annotated[str, argument("GAME|FILE", "A book file, or the game of GAME.book.")],
    moves: Moves = None,
    rules: Annotated[
        str | None, option("GAME", "The rules. Default: the bundled game of the book.")
    ] = None,
    json: Json = False,
) -> None:
    """Show what a book contains and what it says about a position.

    Examples:
        ggp book show ticTacToe --moves '(mark 2 2) (mark 1 2)'
    """
    from ggp.search.evaluation.book.file import read_book
    from ggp.terminal.book_view import as_json, print_book
    from ggp.terminal.console import print_json

    file = _file(book)
    found = read_book(file)
    if not json:
        print_book(found, file)
    name = rules or (found.game if found.game in bundled.names() else None)
    if name is None and moves:
        raise WrongUseError(f"--moves: {found.game} is not a bundled game; give its --rules")
    if name is not None:
        _show_position(found, name, moves or [], is_json=json)
    elif json:
        print_json(as_json(found))


def _file(argument: str) -> Path:
    for file in (Path(argument), Path(f"{argument}{SUFFIX}")):
        if file.is_file():
            return file
    raise WrongUseError(f"{argument}: no such book; `ggp book build GAME` makes one")


def _show_position(book: Book, name: str, moves: list[str], *, is_json: bool) -> None:
    from ggp.analysis.position import position_after
    from ggp.rulesheets import find_game
    from ggp.terminal.book_view import PositionView, as_json
    from ggp.terminal.console import print_json

    game = find_game(name)
    book.check(game.machine, name)
    position = position_after(game.machine, game.rulesheet, moves)
    view = PositionView(book, game.machine, position)
    if is_json:
        print_json(as_json(book) | view.as_json())
    else:
        view.show()
