"""The learning curve as a picture: points won against the untrained, and the error, over games."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape
from itertools import pairwise

from ggp.search.knowledge.learning.learn import Point

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 56, 24, 48, 48
STEPS = 4  # lines of the grid besides the lowest
WON, ERROR = "#1f77b4", "#d62728"


def svg(points: Sequence[Point], title: str) -> str:
    """The curve as an SVG document.

    Args:
        points: In order of their games.
        title: Stands above the picture.
    """
    last = max((point.games for point in points), default=0) or 1
    won = [(_x(point.games, last), _y(100 * point.score.rate)) for point in points]
    errors = [(_x(point.games, last), _y(point.error)) for point in points]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">',
        '<g font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        _text(LEFT, TOP - 24, title, "start", "black"),
        _text(LEFT, TOP - 8, "points won against the untrained, %", "start", WON),
        _text(WIDTH - RIGHT, TOP - 8, "mean error of the value", "end", ERROR),
        *_grid(last),
        *_line(errors, ERROR),
        *_line(won, WON),
        _text(WIDTH / 2, HEIGHT - 8, "games against itself", "middle", "black"),
        "</g></svg>",
    ]
    return "\n".join(parts) + "\n"


def _x(games: int, last: int) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * games / last


def _y(percent: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * percent / 100


def _grid(last: int) -> list[str]:
    parts = []
    for step in range(STEPS + 1):
        percent, games = 100 * step // STEPS, last * step // STEPS
        y = _y(percent)
        parts += [
            f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#dddddd"/>',
            _text(LEFT - 8, y + 4, str(percent), "end", "black"),
            _text(_x(games, last), HEIGHT - BOTTOM + 16, f"{games:,}", "middle", "black"),
        ]
    return parts


def _line(places: Sequence[tuple[float, float]], colour: str) -> list[str]:
    """Straight lines between the points, and a dot on each."""
    lines = [
        f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{colour}" stroke-width="2"/>'
        for (x1, y1), (x2, y2) in pairwise(places)
    ]
    return lines + [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]


def _text(x: float, y: float, text: str, anchor: str, colour: str) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} fill="{colour}">{escape(text)}</text>'
