"""`ggp grade`: grade untrusted players in Python files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ggp.cli.checks import check_saving, pointing_to_check, save_text
from ggp.cli.options import MAX_CLOCK, MAX_SEED, Engine, Jobs, Json, argument, flag, option
from ggp.errors import CommandFailedError, WrongUseError, reason_of

if TYPE_CHECKING:
    from ggp.grading.grade import Gradebook
    from ggp.grading.series import GradingOrder
    from ggp.submission.process import Submission

MEBIBYTE = 1 << 20


def grade(
    files: Annotated[
        list[str],
        argument(
            "FILE...",
            "Python files with one player class each. Give FILE:CLASS if a file has several, or a "
            "folder with a player.py.",
        ),
    ],
    games: Annotated[list[str], option("GAME...", "Bundled games (see ggp games) or files.")],
    against: Annotated[
        list[str] | None,
        option(
            "PLAYER...",
            "Baselines: legal, random, or a player with the option iterations (200 "
            "if not given). Default: random and mcts, or random and hidden if a game "
            "has hidden information.",
        ),
    ] = None,
    matches: Annotated[
        int,
        option(
            "NUMBER",
            "Matches of each game against each baseline. The submission takes the seats in turn.",
            min=1,
            max=1000,
        ),
    ] = 4,
    seed: Annotated[
        int, option("NUMBER", "Seed. The same seed gives the same table.", min=0, max=MAX_SEED)
    ] = 0,
    startclock: Annotated[
        int,
        option(
            "SECONDS",
            "Time to load the player, in seconds. The player then has the same time to prepare.",
            min=1,
            max=MAX_CLOCK,
        ),
    ] = 10,
    playclock: Annotated[
        int, option("SECONDS", "Time for each move, in seconds.", min=1, max=MAX_CLOCK)
    ] = 2,
    memory: Annotated[
        int,
        option(
            "MEGABYTES",
            "Memory of a submission in megabytes, beyond that of Python and this program.",
            min=16,
        ),
    ] = 512,
    engine: Annotated[
        Engine,
        option(
            "ENGINE",
            "Reasoner of the baselines: scalar, or interpreter for games that cannot "
            "be compiled. A submission gets the interpreter, unless its class sets "
            "ENGINE to another reasoner.",
            "--engine",
        ),
    ] = Engine.SCALAR,
    jobs: Jobs = 0,
    html: Annotated[
        Path | None, option("FILE", "Also write the table as an HTML page.", "--html")
    ] = None,
    csv: Annotated[Path | None, option("FILE", "Also write the table as CSV.", "--csv")] = None,
    unconfined: Annotated[
        bool,
        flag(
            "Run the files with your own permissions, on systems that cannot confine them. Only "
            "for files that you trust.",
            "--unconfined",
        ),
    ] = False,
    json: Json = False,
) -> None:
    """Grade players in Python files: whether they are sound, how fast, and how strong.

    Each player runs in its own process, which the Linux kernel confines: no network, no other
    processes, no files but its own and those of Python, limited memory and time. The table lists
    what a player tried although it is forbidden. Exits with 1 if a submission got no result because
    none of its matches could be played to the end.

    Examples:
        ggp grade sampler.py --games ticTacToe connectFour --against random mcts
        ggp grade handed-in/*.py --games connectFour --html grades.html --csv grades.csv
    """
    from ggp.grading.gradebook_files import csv_table, page
    from ggp.submission.confinement import is_possible
    from ggp.terminal.console import print_json
    from ggp.terminal.grade_view import show

    for name, file in (("--html", html), ("--csv", csv)):
        check_saving(name, file)
    if not unconfined and not is_possible():
        raise CommandFailedError(
            "players in files can only be confined on Linux on x86_64 or aarch64; "
            "--unconfined runs them with your own permissions"
        )
    submissions = _submissions(files, memory * MEBIBYTE, is_confined=not unconfined)
    terms = seed, matches, startclock, playclock
    order = _order(games, against or [], engine, terms)
    book = _graded(submissions, order, jobs, is_confined=not unconfined)
    if json:
        print_json(book.to_json())
    else:
        show(book)
    if html is not None:
        save_text(html, page(book))
    if csv is not None:
        save_text(csv, csv_table(book))
    if any(one.standing is None for one in book.grades):
        raise typer.Exit(1)


def _submissions(
    files: list[str], memory_bytes: int, *, is_confined: bool
) -> list[tuple[str, Submission]]:
    from ggp.players.files import FOLDERS_FILE
    from ggp.submission.confinement import Limits
    from ggp.submission.process import Submission, one_line

    found = []
    names = [Path(text).name for text in files]
    for text, name in zip(files, names, strict=True):
        path, class_name = Path(text), ""
        if not path.exists() and ":" in text:
            before, _, class_name = text.rpartition(":")
            path = Path(before)
        is_folder = path.is_dir()
        # Do not resolve a link to its target, because the check of the file must report links.
        place = path.parent.resolve() / path.name if path.name else path.resolve()
        file = place / FOLDERS_FILE if is_folder else place
        limits = Limits(memory_bytes=memory_bytes)
        submission = Submission(file, class_name, is_folder, limits, is_confined)
        found.append((one_line(name if names.count(name) == 1 else text), submission))
    reasons = [_unreadable(submission.file) for _, submission in found]
    if all(reasons):
        others = f"; none of the {len(files)} submissions can be read" if files[1:] else ""
        raise WrongUseError(f"{files[0]}: {reasons[0]}{others}")
    return found


def _unreadable(file: Path) -> str:
    """Return why `file` cannot be read, or "" if it can."""
    try:
        with file.open("rb") as stream:
            stream.read(1)
    except (FileNotFoundError, NotADirectoryError):
        return f"there is no file {file}"
    except OSError as error:
        return reason_of(error)
    return ""


def _order(
    games: list[str], against: list[str], engine: Engine, terms: tuple[int, int, int, int]
) -> GradingOrder:
    from ggp.grading.baseline import check, counted
    from ggp.grading.grader import GradingTerms
    from ggp.grading.series import GradingOrder, graded_game

    found = []
    for name in games:
        if name == "-":
            raise WrongUseError(
                "--games: expected names of bundled games or files, got - (standard input)"
            )
        with pointing_to_check(name):
            found.append(graded_game(name, engine.value))
    if not against:
        hides = any(game.has_percepts for game in found)
        against = ["random", "hidden" if hides else "mcts"]
    specs = tuple(dict.fromkeys(map(counted, against)))
    for game in found:
        for spec in specs:
            check(spec, game.game)
    seed, matches, startclock, playclock = terms
    settled = GradingTerms(specs, matches, seed, startclock, playclock)
    return GradingOrder(tuple(dict.fromkeys(games)), engine.value, settled)


def _graded(
    submissions: list[tuple[str, Submission]], order: GradingOrder, jobs: int, *, is_confined: bool
) -> Gradebook:
    from dataclasses import asdict

    from ggp.grading.grade import Gradebook
    from ggp.grading.series import grade_all
    from ggp.processes.machine import num_cores
    from ggp.submission.equal_files import equal_files
    from ggp.terminal.grade_view import progress_bar

    most = num_cores()
    with progress_bar(len(submissions)) as on_progress:
        grades, gaps = grade_all(submissions, order, min(jobs or most, most), on_progress)
    settings = {"games": list(order.games), **asdict(order.terms), "is_confined": is_confined}
    equal = equal_files((name, submission.file) for name, submission in submissions)
    return Gradebook(settings, gaps, grades, equal)
