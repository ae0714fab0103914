"""Draw learning curves as SVG: the strength of what was learned, and its error."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from ggp.training.weights.learn import Point

WIDTH, HEIGHT = 640, 360
LEFT, RIGHT, TOP, BOTTOM = 56, 24, 48, 48
STEPS = 4  # number of grid lines above the lowest one
BLUE, RED = "#1f77b4", "#d62728"


@dataclass(frozen=True, slots=True)
class Series:
    """One curve of a chart."""

    label: str  # what the curve shows
    points: Sequence[tuple[float, float]]  # pairs of position and value


@dataclass(frozen=True, slots=True)
class Axes:
    """The axes of a chart."""

    along: str  # unit of the horizontal axis
    low: float = 0  # value at the lower edge
    high: float = 100  # value at the upper edge

    @classmethod
    def around(cls, along: str, values: Sequence[float], unit: int) -> Axes:
        """Return axes that include 0 and all values, with limits that are multiples of `unit`."""
        low = unit * math.floor(min([0, *values]) / unit)
        high = unit * math.ceil(max([unit, *values]) / unit)
        return cls(along, low, high)


def svg(points: Sequence[Point], title: str) -> str:
    """Return an SVG document with the learning curve of weights."""
    won = Series(
        "points won against the untrained, %",
        [(point.games, 100 * point.score.rate) for point in points],
    )
    errors = Series("mean error of the value", [(point.games, point.error) for point in points])
    return drawn((won, errors), Axes("games against itself"), title)


def drawn(series: Sequence[Series], axes: Axes, title: str) -> str:
    """Return an SVG document with one or two curves. The first one has its label on the left."""
    last = max((x for one in series for x, _ in one.points), default=0) or 1
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}">',
        '<g font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        _text(LEFT, TOP - 24, title, "start", "black"),
        *_grid(last, axes),
    ]
    places = ((LEFT, "start", BLUE), (WIDTH - RIGHT, "end", RED))
    for one, (x, anchor, colour) in reversed(list(zip(series, places, strict=False))):
        parts.append(_text(x, TOP - 8, one.label, anchor, colour))
        parts += _line([(_x(at, last), _y(value, axes)) for at, value in one.points], colour)
    parts += [_text(WIDTH / 2, HEIGHT - 8, axes.along, "middle", "black"), "</g></svg>"]
    return "\n".join(parts) + "\n"


def _x(at: float, last: float) -> float:
    return LEFT + (WIDTH - LEFT - RIGHT) * at / last


def _y(value: float, axes: Axes) -> float:
    part = (value - axes.low) / (axes.high - axes.low)
    return HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * part


def _grid(last: float, axes: Axes) -> list[str]:
    parts = []
    for step in range(STEPS + 1):
        value = axes.low + (axes.high - axes.low) * step / STEPS
        at = int(last) * step // STEPS if last >= STEPS else last * step / STEPS
        y = _y(value, axes)
        parts += [
            f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#dddddd"/>',
            _text(LEFT - 8, y + 4, f"{value:g}", "end", "black"),
            _text(_x(at, last), HEIGHT - BOTTOM + 16, f"{at:,}", "middle", "black"),
        ]
    return parts


def _line(places: Sequence[tuple[float, float]], colour: str) -> list[str]:
    lines = [
        f'<path d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}" stroke="{colour}" stroke-width="2"/>'
        for (x1, y1), (x2, y2) in pairwise(places)
    ]
    return lines + [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in places]


def _text(x: float, y: float, text: str, anchor: str, colour: str) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
    return f'<text {place} fill="{colour}">{escape(text)}</text>'
