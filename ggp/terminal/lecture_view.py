"""Output of `ggp lecture`: pictures and tables of an example, and a comparison of values."""

from __future__ import annotations

from rich.console import Console

from ggp.lectures.report import LectureReport, Picture
from ggp.lectures.sketch import draw
from ggp.terminal.console import table


def show(report: LectureReport, console: Console) -> None:
    """Print the whole report."""
    console.print(report.title, style="bold", end="")
    console.print(f", from {report.source}", soft_wrap=True)
    for part in report.parts:
        console.print()
        console.print(part.heading, style="bold", soft_wrap=True)
        if isinstance(part, Picture):
            _show_picture(part, console)
        else:
            console.print(table(part.columns, part.rows, ",".join(part.numbers)))
    if report.claims:
        _show_claims(report, console)
    for note in report.notes:
        console.print()
        console.print(note)


def _show_picture(picture: Picture, console: Console) -> None:
    lines = [] if picture.sketch is None else draw(picture.sketch)
    for line in [*lines, *picture.lines]:
        console.print(line, soft_wrap=True)


def _show_claims(report: LectureReport, console: Console) -> None:
    rows = [
        (claim.what, claim.lecture, claim.ours, "=" if claim.agrees else "differs")
        for claim in report.claims
    ]
    console.print()
    console.print("The lecture's values and ours", style="bold")
    console.print(table(["what", "lecture", "ours", ""], rows, "lecture,ours"))
    total = len(report.claims)
    console.print(f"{report.num_agreeing} of {total} agree.")
