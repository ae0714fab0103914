"""Output of `ggp report`: the players, and their mistakes with the most costly first."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ggp.plurals import counted
from ggp.report.match_report import MatchReport, Progress
from ggp.report.page import (
    MADE_FOR_HEADINGS,
    MADE_FOR_TITLE,
    PLAYER_HEADINGS,
    better,
    explanations,
    made_for_rows,
    notices,
    player_rows,
    said,
)
from ggp.terminal.console import console, table
from ggp.terminal.progress import bars


def show(report: MatchReport) -> None:
    """Print the report."""
    shown = console()
    shown.print(f"{report.game}, {counted(report.num_turns, 'turn')}\n", soft_wrap=True)
    for text in notices(report):
        shown.print(f"{text}\n", soft_wrap=True)
    for text in explanations(report):
        shown.print(text, soft_wrap=True)
    shown.print(table(PLAYER_HEADINGS, player_rows(report), ",".join(PLAYER_HEADINGS[1:])))
    rows = [
        (
            move.turn,
            report.roles[move.role],
            move.move,
            move.mark,
            said(report, move),
            better(move),
        )
        for move in report.mistakes
    ]
    if rows:
        shown.print(table(["turn", "role", "move", "mark", "worth", "better"], rows, "turn"))
    else:
        shown.print("No move is marked.")
    if made_for := made_for_rows(report):
        shown.print(f"\n{MADE_FOR_TITLE}:")
        shown.print(table(MADE_FOR_HEADINGS, made_for, "turn"))


@contextmanager
def progress_bar() -> Iterator[Progress]:
    """Show a progress bar with the remaining time on standard error.

    Yield a function that takes the number of finished positions, and the number of all positions.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    columns = TextColumn("positions"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with bars(*columns) as progress:
        task = progress.add_task("positions", total=None)
        yield lambda done, num: progress.update(task, completed=done, total=num)
