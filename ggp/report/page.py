"""The report on a match as a page that needs nothing else: the chart, and a picture per mistake."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from ggp.drawing.sheet import plain_name
from ggp.report.chart import MARK_COLOURS, chart, legend
from ggp.report.match_report import Mark, MatchReport, MoveReport

NUM_EXPECTED: Final = 6
"""Plies of a better line that are told."""
_STYLE: Final = """
:root { color-scheme: light dark; --line: #8886; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 1.5rem auto; max-width: 60rem;
 padding: 0 1rem; }
table { border-collapse: collapse; } th, td { padding: .2rem .8rem .2rem 0; text-align: left; }
td.n, th.n { text-align: right; } .dot { border-radius: 50%; display: inline-block; height: .8em;
 margin-right: .4em; width: .8em; } svg { height: auto; max-width: 100%; }
article { align-items: start; border-top: 1px solid var(--line); display: grid; gap: 1rem;
 grid-template-columns: minmax(8rem, 14rem) 1fr; padding: 1rem 0; }
article:target { outline: 2px solid; outline-offset: .3rem; } h3 { margin: 0; }
"""


def page(report: MatchReport, pictures: Mapping[int, str]) -> str:
    """The page.

    Args:
        report: On the match.
        pictures: SVG of the positions before marked moves, by turn.
    """
    heading = escape(plain_name(report.game))
    return (
        '<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width">'
        f"<title>Report: {heading}</title>\n<style>{_STYLE}</style></head>\n"
        f"<body>\n<main>\n<h1>{heading}</h1>\n{body(report, pictures)}\n</main>\n</body>\n"
        "</html>\n"
    )


def body(report: MatchReport, pictures: Mapping[int, str], anchor: str = "turn") -> str:
    """What the page says, for a page that has other things as well.

    Args:
        report: On the match.
        pictures: SVG of the positions before marked moves, by turn.
        anchor: Before the turn in the ids of mistakes; no two reports on a page may have the same.
    """
    parts = [
        *_notices(report),
        f"<figure>{chart(report, anchor)}<figcaption>{_legend(report.roles)}</figcaption></figure>",
        _players(report),
        f"<h2>{_mistakes_heading(report)}</h2>",
        *(_mistake(report, move, pictures.get(move.turn, ""), anchor) for move in report.mistakes),
    ]
    return "\n".join(parts)


def notices(report: MatchReport) -> list[str]:
    """What a reader has to know about a report, in words."""
    found = []
    if report.broken:
        rest = f"the {report.num_turns} turns before it" if report.num_turns else "nothing"
        found.append(f"{report.broken}. This report covers {rest}.")
    if report.hides:
        found.append("Roles did not see all of this game; moves are judged as if they had.")
    return found


def said(report: MatchReport, move: MoveReport) -> str:
    """What a marked move cost, in words."""
    proven = "proven" if move.is_proven else "estimated"
    return f"{move.before:.0f} → {move.after:.0f} ({proven})"


def better(move: MoveReport) -> str:
    """The better move, and what would have followed."""
    line = move.line[1:NUM_EXPECTED]
    return f"{move.best}, then {', '.join(line)}" if line else move.best


def _notices(report: MatchReport) -> list[str]:
    return [f"<p><strong>{escape(text)}</strong></p>" for text in notices(report)]


def _legend(roles: Sequence[str]) -> str:
    dots = [
        f'<span class="dot" style="background:{colour}"></span>{escape(plain_name(role))}'
        for role, colour in legend(roles)
    ]
    return "What the positions were worth, in goal points: " + ", ".join(dots)


def _players(report: MatchReport) -> str:
    heads = "".join(f'<th class="n">{mark}</th>' for mark in _plurals())
    rows = []
    for role, name in enumerate(report.roles):
        accuracy = report.accuracy(role)
        shown = "-" if accuracy is None else f"{accuracy:.1f} %"
        counts = "".join(f'<td class="n">{report.num_marked(role, mark)}</td>' for mark in Mark)
        rows.append(
            f'<tr><td>{escape(plain_name(name))}</td><td class="n">{shown}</td>{counts}</tr>'
        )
    return (
        f'<table><thead><tr><th>role</th><th class="n">accuracy</th>{heads}</tr></thead>'
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


def _plurals() -> list[str]:
    return ["inaccuracies", "mistakes", "blunders"]


def _mistakes_heading(report: MatchReport) -> str:
    return "What to learn from" if report.mistakes else "No move is marked"


def _mistake(report: MatchReport, move: MoveReport, svg: str, anchor: str) -> str:
    assert move.mark is not None
    dot = f'<span class="dot" style="background:{MARK_COLOURS[move.mark]}"></span>'
    role = escape(plain_name(report.roles[move.role]))
    return (
        f'<article id="{anchor}-{move.turn}"><div>{svg}</div><div>'
        f"<h3>{dot}Turn {move.turn}, {role}: {move.mark}</h3>"
        f"<p>Played <code>{escape(plain_name(move.move))}</code>: {escape(said(report, move))}</p>"
        f"<p>Better: <code>{escape(plain_name(better(move)))}</code></p></div></article>"
    )
