"""Grades as CSV, for whatever a course keeps its marks in: a line a submission."""

from __future__ import annotations

from collections.abc import Sequence

from ggp.csv_text import csv_lines
from ggp.grading.grade import Grade, Gradebook, Measured


def csv_table(book: Gradebook) -> str:
    """The table, with points from 0 to 100; what was measured comes last."""
    heads = [f"{game} against {against}" for game, against in book.columns]
    whole = ("matches", "unfinished", "points", "low", "high")
    times = ("median seconds", "99 % seconds", "worst seconds", "output bytes")
    lines = [["file", "player", "verdict", "reason", *whole, *heads, *times, "why unfinished"]]
    for grade in book.grades:
        texts = (grade.file, grade.player, str(grade.verdict), grade.reason)
        figures = [*_points(grade, book.columns), *_measured(grade.measured)]
        lines.append([*texts, *figures, _why_unfinished(grade)])
    return csv_lines(lines)


def _points(grade: Grade, columns: Sequence[tuple[str, str]]) -> list[str]:
    whole = grade.standing
    unfinished = str(sum(len(cell.unfinished) for cell in grade.cells))
    if whole is None:
        return ["0", unfinished, *[""] * (3 + len(columns))]
    low, high = whole.interval
    figures = [f"{one:.1f}" for one in (whole.mean_goal, low, high)]
    total = [str(whole.matches), unfinished, *figures]
    cells = {(cell.game, cell.against): cell.standing for cell in grade.cells}
    standings = [cells[column] for column in columns]
    return total + [f"{one.mean_goal:.1f}" if one else "" for one in standings]


def _why_unfinished(grade: Grade) -> str:
    """The first match of each game that did not come to its end, and why."""
    found: dict[str, str] = {}
    for cell in grade.cells:
        if cell.unfinished:
            found.setdefault(cell.game, f"{cell.game} against {cell.against}, {cell.unfinished[0]}")
    return ". ".join(found.values())


def _measured(found: Measured) -> list[str]:
    times = (found.median, found.quantile(0.99), found.worst)
    figures = [f"{one:.4f}" if found.seconds else "" for one in times]
    return [*figures, str(found.output_bytes)]
