"""Grades as CSV, for whatever a course keeps its marks in: a line a submission."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.csv_text import csv_lines
from ggp.grading.grade import Grade, Gradebook, Measured


def csv_table(book: Gradebook) -> str:
    """The table, with points from 0 to 100; what was measured comes last."""
    heads = [f"{game} against {against}" for game, against in book.columns]
    whole = ("matches", "points", "low", "high")
    times = ("median seconds", "99 % seconds", "worst seconds", "output bytes")
    lines = [["file", "player", "verdict", "reason", *whole, *heads, *times]]
    for grade in book.grades:
        texts = (grade.file, grade.player, str(grade.verdict), grade.reason)
        lines.append([*texts, *_points(grade, book.columns), *_measured(grade.measured)])
    return csv_lines(lines)


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
