"""Output of `ggp grade`: a progress bar, then tables of verdicts, points and measurements."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from ggp.grading.grade import Grade, Gradebook
from ggp.grading.gradebook_files import LEGEND, MEASURED, notes, overall, points, settings
from ggp.submission.equal_files import equality_sentence
from ggp.terminal.console import console, table
from ggp.terminal.progress import bars
from ggp.terminal.text_table import TextTable


@contextmanager
def progress_bar(number: int) -> Iterator[Callable[[Grade], None]]:
    """Show a progress bar on standard error. Yield a function that takes each new grade.

    The bar shows the file and the verdict of the newest grade.

    Args:
        number: Number of all submissions.
    """
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn

    columns = (
        *(TextColumn("submissions"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()),
        TextColumn("{task.description}", markup=False),
    )
    with bars(*columns) as progress:
        task = progress.add_task("", total=number)
        yield lambda grade: progress.update(
            task, advance=1, description=f"{grade.file}: {grade.verdict}"
        )


def show(book: Gradebook) -> None:
    """Print verdicts, points, notes and measurements."""
    shown = console()
    for gap in book.gaps:
        shown.print(f"Not confined: {gap}.", soft_wrap=True)
    for sentence in book.unfinished:
        shown.print(f"{sentence}.", soft_wrap=True)
    shown.print(_verdicts(book))
    shown.print(_points(book))
    shown.print(f"{settings(book)} {LEGEND}\n")
    for grade in book.grades:
        reasons = [grade.reason] if grade.reason else []
        for text in reasons + notes(book, grade):
            shown.print(f"{grade.file}: {text}", soft_wrap=True)
    for names in book.equal:
        shown.print(f"{equality_sentence(names)}.", soft_wrap=True)
    shown.print(f"\n{MEASURED}")
    shown.print(_measured(book))


def _verdicts(book: Gradebook) -> TextTable:
    rows = [[grade.file, str(grade.verdict), *overall(grade)] for grade in book.grades]
    return table(["submission", "verdict", "points", "95 %"], rows, "points,95 %")


def _points(book: Gradebook) -> TextTable:
    rows = []
    for grade in book.grades:
        cells = {(cell.game, cell.against): cell for cell in grade.cells}
        found = [points(cells[column]) for column in book.columns]
        texts = [f"{mean} ({interval})" if interval else mean for mean, interval in found]
        rows.append([grade.file, *texts])
    heads = [f"{game}, {against}" for game, against in book.columns]
    return TextTable(["submission", *heads], rows, frozenset(heads))


def _measured(book: Gradebook) -> TextTable:
    rows: list[list[object]] = []
    for grade in book.grades:
        one = grade.measured
        times = (one.median, one.quantile(0.99), one.worst)
        shown = [f"{value * 1000:.1f}" for value in times] if one.seconds else ["-"] * 3
        rows.append([grade.file, len(one.seconds), *shown, f"{one.output_bytes:,}"])
    heads = ["moves", "median ms", "99 % ms", "worst ms", "bytes printed"]
    return table(["submission", *heads], rows, ",".join(heads))
