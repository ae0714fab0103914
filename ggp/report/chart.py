"""The chart of a match: what every position was worth to each role, with its marked moves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ggp.drawing.piece_style import role_colours
from ggp.drawing.svg import label, picture, tag, title
from ggp.report.match_report import Mark, MatchReport, MoveReport
from ggp.search.core.result import BEST

WIDTH, HEIGHT = 640.0, 200.0
LEFT, BOTTOM = 34.0, 26.0
GREY: Final = "#7d8590"
MARK_COLOURS: Final = {Mark.INACCURACY: "#d4a017", Mark.MISTAKE: "#e07b1a", Mark.BLUNDER: "#cf3a3a"}
MOST_TICKS: Final = 12


def chart(report: MatchReport, anchor: str = "turn") -> str:
    """The chart as an SVG document; a mark leads to `#turn-N`, or another anchor than `turn`."""
    colours = role_colours(report.roles)
    parts = [*_axes(report.num_turns)]
    for role, name in enumerate(report.roles):
        parts.append(_curve(report, role, colours[name.lower()]))
    parts += [_mark(report, move, anchor) for move in report.moves if move.mark]
    name = f"What the positions of {report.game} were worth"
    return picture(WIDTH, HEIGHT, name, parts, has_links=True)


def _axes(num_turns: int) -> list[str]:
    lines = []
    for goal in (0, 50, 100):
        y = _y(goal)
        lines.append(tag("line", x1=LEFT, x2=WIDTH, y1=y, y2=y, stroke=GREY, stroke_opacity=0.4))
        lines.append(label(str(goal), LEFT - 6, y, 11, GREY, "end"))
    step = max(1, -(-num_turns // MOST_TICKS))
    turns = range(0, num_turns + 1, step)
    return [*lines, *(label(str(t), _x(t, num_turns), HEIGHT - 10, 11, GREY) for t in turns)]


def _curve(report: MatchReport, role: int, colour: str) -> str:
    points = [
        f"{_x(turn, report.num_turns):.4g},{_y(worth.goals[role]):.4g}"
        for turn, worth in enumerate(report.worths)
    ]
    return tag(
        "polyline",
        title(report.roles[role]),
        points=" ".join(points),
        fill="none",
        stroke=colour,
        stroke_width=2.5,
        stroke_linejoin="round",
    )


def _mark(report: MatchReport, move: MoveReport, anchor: str) -> str:
    """A mark where the move led."""
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
    """The name and the colour of each role's curve."""
    colours = role_colours(roles)
    return [(role, colours[role.lower()]) for role in roles]
