"""The grades as CSV, and as an HTML page that needs neither scripts nor network access."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from typing import Final

from ggp.csv_text import csv_lines
from ggp.drawing.sheet import html_page, plain_name
from ggp.grading.grade import (
    SHOWN_ATTEMPTS,
    Grade,
    Gradebook,
    GradeCell,
    Measured,
    MistakeExample,
    Verdict,
)
from ggp.plurals import counted
from ggp.submission.equal_files import equality_sentence
from ggp.submission.seat import Mistake

_STYLE: Final = """
:root { color-scheme: light dark; --line: #8886; --good: light-dark(#17692b, #7bd48e);
 --bad: light-dark(#a3201d, #ff9a8f); }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 1.5rem auto; max-width: 70rem;
 padding: 0 1rem; }
.wide { overflow-x: auto; } table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { border-top: 1px solid var(--line); padding: .3rem .8rem .3rem 0; text-align: left;
 vertical-align: top; } thead th { border-top: 0; } td.n, th.n { text-align: right;
 white-space: nowrap; } .passed { color: var(--good); } .failed { color: var(--bad); }
small { opacity: .8; } pre { border: 1px solid var(--line); max-height: 20rem; overflow: auto;
 padding: .6rem; white-space: pre-wrap; } article { border-top: 1px solid var(--line);
 padding: .5rem 0 1rem; } h3 { margin: .5rem 0; } code { overflow-wrap: anywhere; }
"""


def page(book: Gradebook) -> str:
    """Return an HTML page with the table, the measurements, and notes on each submission."""
    passed = sum(grade.has_passed for grade in book.grades)
    body = [
        "<h1>Grades</h1>",
        f"<p>{passed} of {len(book.grades)} passed. {_text(settings(book))}</p>",
        *(f"<p><strong>Not confined: {_text(gap)}.</strong></p>" for gap in book.gaps),
        *(f"<p><strong>{_text(sentence)}.</strong></p>" for sentence in book.unfinished),
        _table(book),
        f"<p><small>{_text(LEGEND)}</small></p>",
        *(f"<p>{_text(equality_sentence(names))}.</p>" for names in book.equal),
        "<h2>Measured</h2>",
        f"<p>{_text(MEASURED)}</p>",
        _measured(book),
        "<h2>Each submission</h2>",
        *(_details(number, book, grade) for number, grade in enumerate(book.grades)),
    ]
    return html_page("Grades", _STYLE, "\n".join(body))


LEGEND: Final = (
    "Points: the mean goal, from 0 to 100, and its 95 % interval. A match in which the "
    "submission's process is lost counts 0, and so do all later matches in that game. If the "
    "submission cannot be loaded, all its matches count 0. A match with mistakes in a quarter of "
    "its turns counts 0 as well: random moves replaced the player's, whatever they led to."
)
MEASURED: Final = "These figures depend on the machine and differ in each grading."


def settings(book: Gradebook) -> str:
    """Return a sentence with the settings of the grading."""
    asked = book.settings
    return (
        f"{asked['matches']} matches in each game against each baseline, seats taken in turn, "
        f"{asked['playclock']} s a move, seed {asked['seed']}."
    )


def points(cell: GradeCell) -> tuple[str, str]:
    """Return two texts: a cell's points, and their interval with the matches lost or unfinished."""
    standing = cell.standing
    if standing is None:
        return "unfinished", ""
    low, high = standing.interval
    others = f", {cell.absent} lost by mistakes" if cell.absent else ""
    others += f", {len(cell.unfinished)} unfinished" if cell.unfinished else ""
    return f"{standing.mean_goal:.0f}", f"{low:.0f} to {high:.0f}{others}"


def overall(grade: Grade) -> tuple[str, str]:
    """Return two texts: the points of a submission in all matches, and their interval."""
    standing = grade.standing
    if standing is None:
        return "-", "-"
    low, high = standing.interval
    return f"{standing.mean_goal:.0f}", f"{low:.0f} to {high:.0f}"


def notes(book: Gradebook, grade: Grade) -> list[str]:
    """Return sentences about a submission that its verdict does not contain."""
    found = _lateness(grade, book.settings["playclock"])
    counts = {what: number for what, number in grade.counts.items() if what != Mistake.LATE}
    counted = [f"{number} {what}" for what, number in counts.items() if number]
    if counted:
        found.append(f"Counted: {', '.join(counted)}.")
    if grade.absent:
        number = sum(len(cell.scores) for cell in grade.cells)
        found.append(
            f"Lost by mistakes in a quarter of the turns or more: {grade.absent} of {number} "
            "matches."
        )
    if more := grade.attempts[SHOWN_ATTEMPTS:]:  # the reason lists the first attempts
        found.append(f"Other attempts that were denied: {', '.join(more)}.")
    found += [
        f"Asked for the compiled game but got the interpreter in {one}."
        for one in grade.interpreted
    ]
    if grade.unrepeatable:
        found.append(f"Not repeatable: {grade.unrepeatable}.")
    return found


def _lateness(grade: Grade, playclock: float) -> list[str]:
    seconds = grade.measured.seconds
    late = [one - playclock for one in seconds if one > playclock]
    starts = grade.counts.get(Mistake.LATE, 0) - len(late)
    found = []
    if late:
        found.append(f"{len(late)} of {len(seconds)} moves late, by {max(late):.2g} s at most")
    if starts:
        found.append(f"ready late in {counted(starts, 'match', 'matches')}")
    likelier = "a busy machine makes that likelier, and more --jobs do"
    return [f"{', '.join(found).capitalize()}; {likelier}."] if found else []


def _table(book: Gradebook) -> str:
    heads = "".join(
        f'<th class="n" scope="col">{_text(game)}<br><small>{_text(against)}</small></th>'
        for game, against in book.columns
    )
    rows = []
    for number, grade in enumerate(book.grades):
        cells = {(cell.game, cell.against): cell for cell in grade.cells}
        row = [
            f'<th scope="row"><a href="#s{number}">{_text(grade.file)}</a></th>',
            f"<td>{_text(grade.player)}</td>",
            f'<td class="{_kind(grade)}">{_text(str(grade.verdict))}</td>',
        ]
        for mean, interval in (overall(grade), *(points(cells[one]) for one in book.columns)):
            row.append(f'<td class="n">{mean}<br><small>{interval}</small></td>')
        rows.append(f"<tr>{''.join(row)}</tr>")
    whole = (
        '<th>submission</th><th>player</th><th>verdict</th><th class="n" scope="col">points</th>'
    )
    return _wide(whole + heads, rows)


def _measured(book: Gradebook) -> str:
    heads = "".join(
        f'<th class="n" scope="col">{name}</th>'
        for name in ("moves", "median", "99 %", "worst", "printed")
    )
    rows = []
    for grade in book.grades:
        one = grade.measured
        times = [f"{value * 1000:.1f} ms" for value in (one.median, one.quantile(0.99), one.worst)]
        shown = times if one.seconds else ["-"] * 3
        figures = [str(len(one.seconds)), *shown, f"{one.output_bytes:,} bytes"]
        cells = "".join(f'<td class="n">{figure}</td>' for figure in figures)
        rows.append(f'<tr><th scope="row">{_text(grade.file)}</th>{cells}</tr>')
    return _wide(f"<th>submission</th>{heads}", rows)


def _wide(heads: str, rows: list[str]) -> str:
    """Return a table that can be scrolled, also by keyboard, if the page is too narrow for it."""
    return (
        '<div class="wide" role="group" aria-label="Table" tabindex="0"><table>'
        f"<thead><tr>{heads}</tr></thead><tbody>{''.join(rows)}</tbody></table></div>"
    )


def _details(number: int, book: Gradebook, grade: Grade) -> str:
    verdict = _text(str(grade.verdict))
    found = [f"<h3>{_text(grade.file)}</h3>", f'<p class="{_kind(grade)}">{verdict}</p>']
    if grade.reason:
        found.append(f"<p><code>{_text(grade.reason)}</code></p>")
    found += [f"<p>{_text(note)}</p>" for note in notes(book, grade)]
    if grade.example is not None:
        found.append(_example(grade.example))
    if grade.measured.output:
        found.append(
            "<details><summary>What it printed</summary>"
            f"<pre>{escape(grade.measured.output)}</pre></details>"
        )
    return f'<article id="s{number}">{"".join(found)}</article>'


def _kind(grade: Grade) -> str:
    return {Verdict.PASSED: "passed", Verdict.UNGRADED: "open"}.get(grade.verdict, "failed")


def _example(example: MistakeExample) -> str:
    if not example.state:
        return ""
    return (
        f"<details><summary>The state of {_text(example.game)} there</summary>"
        f"<pre>{escape(chr(10).join(example.state))}</pre></details>"
    )


def _text(text: str) -> str:
    return escape(plain_name(text))


def csv_table(book: Gradebook) -> str:
    """Return the table as CSV, with one line for each submission and points from 0 to 100."""
    heads = [f"{game} against {against}" for game, against in book.columns]
    whole = ("matches", "lost by mistakes", "unfinished", "points", "low", "high")
    times = ("median seconds", "99 % seconds", "worst seconds", "late moves", "output bytes")
    lines = [["file", "player", "verdict", "reason", *whole, *heads, *times, "why unfinished"]]
    for grade in book.grades:
        texts = (grade.file, grade.player, str(grade.verdict), grade.reason)
        late = str(grade.counts.get(Mistake.LATE, 0))
        measured = [*_seconds(grade.measured), late, str(grade.measured.output_bytes)]
        figures = [*_points(grade, book.columns), *measured]
        lines.append([*texts, *figures, _why_unfinished(grade)])
    return csv_lines(lines)


def _points(grade: Grade, columns: Sequence[tuple[str, str]]) -> list[str]:
    whole = grade.standing
    unfinished = str(sum(len(cell.unfinished) for cell in grade.cells))
    if whole is None:
        return ["0", "0", unfinished, *[""] * (3 + len(columns))]
    low, high = whole.interval
    figures = [f"{one:.1f}" for one in (whole.mean_goal, low, high)]
    total = [str(whole.matches), str(grade.absent), unfinished, *figures]
    cells = {(cell.game, cell.against): cell.standing for cell in grade.cells}
    standings = [cells[column] for column in columns]
    return total + [f"{one.mean_goal:.1f}" if one else "" for one in standings]


def _why_unfinished(grade: Grade) -> str:
    found: dict[str, str] = {}
    for cell in grade.cells:
        if cell.unfinished:
            found.setdefault(cell.game, f"{cell.game} against {cell.against}, {cell.unfinished[0]}")
    return ". ".join(found.values())


def _seconds(found: Measured) -> list[str]:
    times = (found.median, found.quantile(0.99), found.worst)
    return [f"{one:.4f}" if found.seconds else "" for one in times]
