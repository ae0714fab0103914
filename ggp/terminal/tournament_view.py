"""Output of `ggp tournament`: a bar while matches are played, then standings and a crosstable."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ggp.manager.store.tournaments import FixtureEntry
from ggp.terminal.console import console, table
from ggp.terminal.progress import bars
from ggp.terminal.text_table import TextTable
from ggp.tournament.sprt import Sprt
from ggp.tournament.table import Crosstable


@contextmanager
def match_bar() -> Iterator[Callable[[list[FixtureEntry], Sprt | None], None]]:
    """A bar that says how far it is, how long it may take, and how its test stands, if any."""
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), Remaining())
    with bars(*columns) as progress:
        task = progress.add_task("matches", total=None)

        def show(entries: list[FixtureEntry], test: Sprt | None) -> None:
            done = sum(entry.goals is not None for entry in entries)
            progress.update(task, total=len(entries), completed=done)
            if test is not None:
                progress.update(task, description=_standing_of(test))

        yield show


def print_table(name: str, result: Crosstable) -> None:
    """Print what a tournament has come to."""
    shown = console()
    shown.print(name)
    shown.print(_standings(result))
    if any(row.matches > row.wins + row.draws + row.losses for row in result.rows):
        shown.print("Games for one player bring points; nobody wins, draws or loses them.\n")
    if any(str(row.faults) for row in result.rows):
        shown.print(
            "TO, IL, CE: answers that were late, illegal or missing; random legal moves were made "
            "in their place.\n"
        )
    if len(result.rows) > 1:
        shown.print(_crosstable(result))
    if result.test is not None:
        shown.print(str(result.test), soft_wrap=True)


def _standing_of(test: Sprt) -> str:
    """The LLR of a test and its bounds, short enough to stand beside a bar."""
    lower, upper = test.rule.bounds
    return f"matches, LLR {test.llr:.2f} ({lower:.2f} to {upper:.2f})"


def _standings(result: Crosstable) -> TextTable:
    figures = ("points", "matches", "won", "drawn", "lost", "Elo", "95 %", "TO", "IL", "CE")
    rows = []
    for place, row in enumerate(result.rows, start=1):
        rating = row.rating
        elo = _rounded(rating.elo) if rating else ""
        interval = f"{_rounded(rating.low)} to {_rounded(rating.high)}" if rating else ""
        counts = (row.matches, row.wins, row.draws, row.losses)
        faults = (row.faults.timeouts, row.faults.illegal, row.faults.connection)
        rows.append((f"{place}. {row.name}", f"{row.points:g}", *counts, elo, interval, *faults))
    return table(("player", *figures), rows, ",".join(figures))


def _rounded(elo: float) -> str:
    """A rating with its sign; `+0` where it is a little less than nothing, too."""
    return f"{round(elo) + 0:+d}"


def _crosstable(result: Crosstable) -> TextTable:
    names = [row.name for row in result.rows]
    rows = []
    for one in names:
        cells = [result.cells.get((one, other)) for other in names]
        rows.append((one, *(f"{cell.score:g}/{cell.meetings}" if cell else "" for cell in cells)))
    return table(("each against each", *names), rows, ",".join(names))
