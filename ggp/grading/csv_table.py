"""Grades as CSV, for whatever a course keeps its marks in: a line a submission."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Final

from ggp.grading.grade import Grade, Gradebook, Measured

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def csv_table(book: Gradebook) -> str:
    """The table, with points from 0 to 100; what was measured comes last."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    heads = [f"{game} against {against}" for game, against in book.columns]
    whole = ("matches", "points", "low", "high")
    times = ("median seconds", "99 % seconds", "worst seconds", "output bytes")
    writer.writerow(["file", "player", "verdict", "reason", *whole, *heads, *times])
    for grade in book.grades:
        texts = map(_cell, (grade.file, grade.player, str(grade.verdict), grade.reason))
        writer.writerow([*texts, *_points(grade, book.columns), *_measured(grade.measured)])
    return text.getvalue()


def _points(grade: Grade, columns: Sequence[tuple[str, str]]) -> list[str]:
    whole = grade.standing
    if whole is None:
        return ["0", *[""] * (3 + len(columns))]
    low, high = whole.interval
    total = [str(whole.matches), f"{whole.mean_goal:.1f}", f"{low:.1f}", f"{high:.1f}"]
    cells = {(cell.game, cell.against): cell.standing for cell in grade.cells}
    standings = [cells.get(column) for column in columns]
    return total + [f"{one.mean_goal:.1f}" if one else "" for one in standings]


def _measured(found: Measured) -> list[str]:
    times = (found.median, found.quantile(0.99), found.worst)
    figures = [f"{one:.4f}" if found.seconds else "" for one in times]
    return [*figures, str(found.output_bytes)]


def _cell(text: str) -> str:
    """A text that no spreadsheet takes for a formula, whoever wrote it."""
    return f"'{text}" if text.startswith(_FORMULA) else text
