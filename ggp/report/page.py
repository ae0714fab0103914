"""The report on a match as a self-contained page, with a chart and a picture of each mistake."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Final

from ggp.drawing.piece_style import role_colours
from ggp.drawing.sheet import html_page, plain_name
from ggp.drawing.svg import label, picture, tag, title
from ggp.match.events import FALLBACK
from ggp.report.match_report import Mark, MatchReport, MoveReport
from ggp.search.core.result import BEST

EDGE: Final = "#7a7f88"
"""Outline colour of curves and dots, so that white and black are visible on any background."""
NUM_EXPECTED: Final = 6
"""Maximum number of plies of a better line to show."""
_STYLE: Final = """
:root { color-scheme: light dark; --line: #8886; }
body { font: 1rem/1.5 system-ui, sans-serif; margin: 1.5rem auto; max-width: 60rem;
 padding: 0 1rem; }
table { border-collapse: collapse; } th, td { padding: .2rem .8rem .2rem 0; text-align: left; }
td.n, th.n { text-align: right; } .dot { border: 1px solid #7a7f88;
 border-radius: 50%; display: inline-block; height: .8em;
 margin-right: .4em; width: .8em; } svg { height: auto; max-width: 100%; }
article { align-items: start; border-top: 1px solid var(--line); display: grid; gap: 1rem;
 grid-template-columns: minmax(8rem, 14rem) 1fr; padding: 1rem 0; }
article:target { outline: 2px solid; outline-offset: .3rem; } h3 { margin: 0; }
"""


def page(report: MatchReport, pictures: Mapping[int, str]) -> str:
    """Return the page of a report.

    Args:
        pictures: SVG of the positions before marked moves, by turn.
    """
    heading = escape(plain_name(report.game))
    inside = f"<h1>{heading}</h1>\n{body(report, pictures)}"
    return html_page(f"Report: {heading}", _STYLE, inside)


def body(report: MatchReport, pictures: Mapping[int, str], anchor: str = "turn") -> str:
    """Return the content of the page, for embedding in another page.

    Args:
        pictures: SVG of the positions before marked moves, by turn.
        anchor: Prefix of the ids of mistakes. It must be unique on the page.
    """
    parts = [
        *_notices(report),
        f"<figure>{chart(report, anchor)}<figcaption>{_legend(report.roles)}</figcaption></figure>",
        *(f"<p>{escape(plain_name(text))}</p>" for text in explanations(report)),
        _players(report),
        f"<h2>{_mistakes_heading(report)}</h2>",
        *(_mistake(report, move, pictures.get(move.turn, ""), anchor) for move in report.mistakes),
        *_made_for(report),
    ]
    return "\n".join(parts)


def notices(report: MatchReport) -> list[str]:
    """Return sentences that warn readers of the report's limits."""
    found = []
    if report.broken:
        rest = f"the {report.num_turns} turns before it" if report.num_turns else "nothing"
        found.append(f"{report.broken}. This report covers {rest}.")
    if report.hides:
        found.append("Roles did not see everything in this game; moves are judged as if they had.")
    if report.is_cut:
        found.append("The time limit ended the search early; with more time this may change.")
    for role, name in enumerate(report.roles):
        if num := report.num_made_for(role):
            found.append(
                f"{num} of {len(report.moves_of(role))} moves of {name}, where it had a choice, "
                "were made for it; its marks and its accuracy do not count them."
            )
    return found


def explanations(report: MatchReport) -> list[str]:
    """Return sentences on the result, decisive turn, source of values, and unmarked losses."""
    found = [report.result] if report.result else []
    if report.decided is not None:
        found.append(_decided_in(report, report.decided))
    if report.evaluation:
        proven = sum(worth.is_proven for worth in report.worths)
        found.append(
            f"{proven} of {len(report.worths)} positions are proven; the others are estimated by "
            f"tree search with {report.evaluation}."
        )
    if behind := report.falls_from_behind[:NUM_EXPECTED]:
        falls = ", ".join(
            f"turn {m.turn}, {report.roles[m.role]} {m.before:.0f} → {m.after:.0f}" for m in behind
        )
        found.append(f"Not marked, as the role was behind and may have lost already: {falls}.")
    return found


def _decided_in(report: MatchReport, turn: int) -> str:
    before, after = report.worths[turn - 1].goals, report.worths[turn].goals
    changes = ", ".join(
        f"{role} {old:.0f} → {new:.0f}"
        for role, old, new in zip(report.roles, before, after, strict=True)
    )
    made = [
        f"{m.move} was made for {report.roles[m.role]}"
        if m.made_for
        else f"{report.roles[m.role]} played {m.move}"
        for m in report.moves
        if m.turn == turn
    ]
    return f"Decided in turn {turn}: {', '.join(made) or 'by chance'} ({changes})."


PLAYER_HEADINGS: Final = ("role", "accuracy", "inaccuracies", "mistakes", "blunders")


def player_rows(report: MatchReport) -> list[list[str]]:
    """Return a table row for each role, with the columns `PLAYER_HEADINGS`."""
    rows = []
    for role, name in enumerate(report.roles):
        accuracy = report.accuracy(role)
        shown = "-" if accuracy is None else f"{accuracy:.1f} %"
        rows.append([name, shown, *(str(report.num_marked(role, mark)) for mark in Mark)])
    return rows


def said(report: MatchReport, move: MoveReport) -> str:
    """Return the goals before and after a marked move as text: `50 → 0 (proven)`."""
    proven = "proven" if move.is_proven else "estimated"
    return f"{move.before:.0f} → {move.after:.0f} ({proven})"


_REASONS: Final = {
    "IL": "its answer was not legal",
    "TO": "its answer was late",
    "CE": "no answer came",
    FALLBACK: "it chose none",
}
MADE_FOR_HEADINGS: Final = ("turn", "role", "move", "worth", "made for it")
MADE_FOR_TITLE: Final = "Made for a player"


def made_for_rows(report: MatchReport) -> list[list[str]]:
    """Return a table row for each costly move made on a player's behalf.

    The columns are `MADE_FOR_HEADINGS`.
    """
    return [
        [
            str(move.turn),
            report.roles[move.role],
            move.move,
            said(report, move),
            _reason(move.made_for),
        ]
        for move in report.costly_made_for
    ]


def _reason(mark: str) -> str:
    """Return why a move was made on a player's behalf.

    >>> _reason("FB first legal"), _reason("TO")
    ('it chose none: first legal', 'its answer was late')
    """
    word, _, rest = mark.partition(" ")
    return ": ".join(filter(None, (_REASONS.get(word, word), rest)))


def better(move: MoveReport) -> str:
    """Return a description of the better move and its expected continuation."""
    if move.best == move.move:
        return "no better move is known"
    line = move.line[1:NUM_EXPECTED]
    return f"{move.best}, then {', '.join(line)}" if line else move.best


def _notices(report: MatchReport) -> list[str]:
    return [f"<p><strong>{escape(plain_name(text))}</strong></p>" for text in notices(report)]


def _legend(roles: Sequence[str]) -> str:
    dots = [
        f'<span class="dot" style="background:{colour}"></span>{escape(plain_name(role))}'
        for role, colour in legend(roles)
    ]
    return "Values of the positions, in goal points: " + ", ".join(dots)


def _made_for(report: MatchReport) -> list[str]:
    rows = made_for_rows(report)
    if not rows:
        return []
    heads = "".join(f"<th>{name}</th>" for name in MADE_FOR_HEADINGS)
    cells = ["".join(f"<td>{escape(plain_name(text))}</td>" for text in row) for row in rows]
    table = "".join(f"<tr>{row}</tr>" for row in cells)
    return [
        f"<h2>{MADE_FOR_TITLE}</h2>",
        f"<table><thead><tr>{heads}</tr></thead><tbody>{table}</tbody></table>",
    ]


def _players(report: MatchReport) -> str:
    heads = "".join(f'<th class="n">{name}</th>' for name in PLAYER_HEADINGS[1:])
    rows = []
    for name, *figures in player_rows(report):
        cells = "".join(f'<td class="n">{figure}</td>' for figure in figures)
        rows.append(f"<tr><td>{escape(plain_name(name))}</td>{cells}</tr>")
    return (
        f"<table><thead><tr><th>{PLAYER_HEADINGS[0]}</th>{heads}</tr></thead>"
        f"<tbody>{''.join(rows)}</tbody></table>"
    )


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


WIDTH, HEIGHT = 640.0, 200.0
LEFT, BOTTOM = 34.0, 26.0
GREY: Final = "#7d8590"
MARK_COLOURS: Final = {Mark.INACCURACY: "#d4a017", Mark.MISTAKE: "#e07b1a", Mark.BLUNDER: "#cf3a3a"}
MAX_TICKS: Final = 12


def chart(report: MatchReport, anchor: str = "turn") -> str:
    """Return the chart as an SVG document. A mark in turn N links to `#{anchor}-N`."""
    colours = role_colours(report.roles)
    parts = [*_axes(report.num_turns)]
    for role, name in enumerate(report.roles):
        parts.append(_curve(report, role, colours[name.lower()]))
    parts += [_mark(report, move, anchor) for move in report.moves if move.mark]
    name = f"Values of the positions of {report.game}"
    return picture(WIDTH, HEIGHT, name, parts, has_links=True)


def _axes(num_turns: int) -> list[str]:
    lines = []
    for goal in (0, 50, 100):
        y = _y(goal)
        lines.append(tag("line", x1=LEFT, x2=WIDTH, y1=y, y2=y, stroke=GREY, stroke_opacity=0.4))
        lines.append(label(str(goal), LEFT - 6, y, 11, GREY, "end"))
    step = max(1, -(-num_turns // MAX_TICKS))
    turns = range(0, num_turns + 1, step)
    return [*lines, *(label(str(t), _x(t, num_turns), HEIGHT - 10, 11, GREY) for t in turns)]


def _curve(report: MatchReport, role: int, colour: str) -> str:
    points = [
        f"{_x(turn, report.num_turns):.4g},{_y(worth.goals[role]):.4g}"
        for turn, worth in enumerate(report.worths)
    ]
    line = {"points": " ".join(points), "fill": "none", "stroke_linejoin": "round"}
    edge = tag("polyline", **line, stroke=EDGE, stroke_width=5)
    return edge + tag(
        "polyline", title(report.roles[role]), **line, stroke=colour, stroke_width=2.5
    )


def _mark(report: MatchReport, move: MoveReport, anchor: str) -> str:
    assert move.mark is not None
    x, y = _x(move.turn, report.num_turns), _y(report.worths[move.turn].goals[move.role])
    said = f"turn {move.turn}, {report.roles[move.role]}: {move.move}, {move.mark}"
    circle = tag("circle", title(said), cx=x, cy=y, r=5.5, fill=MARK_COLOURS[move.mark])
    return tag("a", circle, href=f"#{anchor}-{move.turn}", aria_label=said)


def _x(turn: int, num_turns: int) -> float:
    return LEFT + (WIDTH - LEFT - 8) * turn / max(1, num_turns)


def _y(goal: float) -> float:
    return (HEIGHT - BOTTOM - 8) * (1 - goal / BEST) + 8


def legend(roles: Sequence[str]) -> list[tuple[str, str]]:
    """Return the name and the colour of each role's curve."""
    colours = role_colours(roles)
    return [(role, colours[role.lower()]) for role in roles]
