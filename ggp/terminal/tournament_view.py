"""Output of `ggp tournament`: a bar while matches run, then standings and a crosstable."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import astuple
from typing import Final

import typer

from ggp.rating.sprt import Sprt
from ggp.terminal.console import console, table
from ggp.terminal.progress import bars
from ggp.terminal.text_table import TextTable
from ggp.tournament.knockout import Bracket
from ggp.tournament.table import Crosstable

LINE_SECONDS: Final = 10.0
"""Minimum time between two lines of progress if there is no bar."""


@contextmanager
def match_bar() -> Iterator[Callable[[int, int | None, Sprt | None], None]]:
    """Show a bar with the progress, the remaining time, and the state of the sequential test.

    Yield a function that takes the number of finished matches, the total number of matches (None if
    it is unknown), and the test (None if the tournament has none). If standard error is not a
    terminal, the function occasionally prints a line instead.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Remaining())
    with bars(*columns) as progress:
        if progress.disable:
            yield _lines()
            return
        task = progress.add_task("matches", total=None)

        def show(done: int, planned: int | None, test: Sprt | None) -> None:
            progress.update(task, total=planned, completed=done)
            if test is not None:
                progress.update(task, description=_standing_of(test))

        yield show


def _lines() -> Callable[[int, int | None, Sprt | None], None]:
    """Return a function that prints the progress on standard error.

    It prints a line if the line has changed, at most every `LINE_SECONDS`, and always the last one.
    """
    said, when = "", -math.inf

    def show(done: int, planned: int | None, test: Sprt | None) -> None:
        nonlocal said, when
        of_all = f"{done}" if planned is None else f"{done} of {planned}"
        line = f"{of_all} {'matches' if test is None else _standing_of(test)}"
        is_due = done == planned or time.monotonic() > when + LINE_SECONDS
        if (done or planned) and line != said and is_due:
            said, when = line, time.monotonic()
            typer.echo(f"ggp tournament: {line}", err=True)

    return show


def print_table(name: str, result: Crosstable, bracket: Bracket | None = None) -> None:
    """Print the result of a tournament."""
    shown = console()
    shown.print(name)
    if bracket is not None:
        shown.print("\n".join(_bracket_lines(bracket)), soft_wrap=True)
    shown.print(_standings(result))
    if any(row.matches > row.wins + row.draws + row.losses for row in result.rows):
        shown.print("Games for one player bring points; they are not won, drawn or lost.\n")
    if any(str(row.faults) for row in result.rows):
        shown.print(
            "TO, IL, CE: answers that were late, illegal or missing; random legal moves were made "
            "instead. A player with such answers in a quarter of a match's turns counts as absent "
            "and loses the match.\n"
        )
    if len(result.rows) > 1:
        shown.print(_crosstable(result))
    if result.test is not None:
        shown.print(str(result.test), soft_wrap=True)


def _bracket_lines(bracket: Bracket) -> Iterator[str]:
    for heading, pairings in zip(bracket.headings(), bracket.rounds, strict=True):
        yield heading
        yield from (f"  {pairing}" for pairing in pairings)
    if bracket.champion is not None:
        yield f"Winner: {bracket.champion}"


def _standing_of(test: Sprt) -> str:
    """Return a text next to the bar: the log-likelihood ratio of a test, and its bounds."""
    lower, upper = test.rule.bounds
    return f"matches, LLR {test.llr:.2f} ({lower:.2f} to {upper:.2f})"


def _standings(result: Crosstable) -> TextTable:
    """Return the table of standings.

    It fits in 80 columns if names have up to 16 letters and all players have played equally often.
    """
    figures: dict[str, list[str]] = {
        "points": [f"{row.points:g}" for row in result.rows],
        "matches": [str(row.matches) for row in result.rows],
    }
    if len({row.matches for row in result.rows}) > 1:
        means = [row.mean for row in result.rows]
        figures["mean"] = ["" if mean is None else f"{mean:.3f}" for mean in means]
    if any(row.paused for row in result.rows):
        figures["paused"] = [str(row.paused) for row in result.rows]
    ratings = [row.rating for row in result.rows]
    figures |= {
        "w-d-l": [f"{row.wins}-{row.draws}-{row.losses}" for row in result.rows],
        "Elo": [_rounded(one.elo) if one else "" for one in ratings],
        "95 %": [f"±{(one.high - one.low) / 2:.0f}" if one else "" for one in ratings],
    }
    if any(str(row.faults) for row in result.rows):
        faults = [(*astuple(row.faults), row.absent) for row in result.rows]
        columns = zip(("TO", "IL", "CE", "absent"), zip(*faults, strict=True), strict=True)
        figures |= {heading: list(map(str, column)) for heading, column in columns}
    players = [f"{place}. {row.name}" for place, row in enumerate(result.rows, start=1)]
    rows = list(zip(players, *figures.values(), strict=True))
    return table(("player", *figures), rows, ",".join(figures))


def _rounded(elo: float) -> str:
    """Return a rating with its sign. A rating just below zero becomes `+0` as well."""
    return f"{round(elo) + 0:+d}"


def _crosstable(result: Crosstable) -> TextTable:
    """Return the crosstable. Its columns are numbered by rank, because names would be too wide."""
    names = [row.name for row in result.rows]
    places = [str(place) for place in range(1, len(names) + 1)]
    rows = []
    for place, one in zip(places, names, strict=True):
        cells = [result.cells.get((one, other)) for other in names]
        scores = (f"{cell.score:g}/{cell.meetings}" if cell else "" for cell in cells)
        rows.append((f"{place}. {one}", *scores))
    return table(("each against each", *places), rows, ",".join(places))
