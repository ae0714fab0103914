"""Boards of hexagons: each row stands half a place further right than the one above it."""

from __future__ import annotations

from ggp.drawing.frame import LINE, MARGIN, SIDE, Frame
from ggp.drawing.svg import tag

RISE = SIDE * 0.28
"""Height of the tip of a hexagon above its sides."""
BORDER = 5.0


def hexagon(x: float, y: float, fill: str) -> str:
    """A place of the board."""
    corners = " ".join(f"{right:g},{down:g}" for right, down in _corners(x, y))
    return tag("polygon", points=corners, fill=fill, stroke=LINE)


def draw_sides(columns: int, rows: int, top: float, frame: Frame) -> list[str]:
    """The coloured edges of a board of hexagons: of its columns' ends, and of its rows'."""
    if frame.sides is None or not frame.has_hexagons:
        return []
    across, along = frame.sides
    outline: list[tuple[str, list[tuple[float, float]]]] = []
    for down in range(rows):
        first = _corners(MARGIN + down * SIDE / 2, top + down * SIDE)
        last = _corners(MARGIN + (columns - 1) * SIDE + down * SIDE / 2, top + down * SIDE)
        outline += [(across, [first[5], first[4], first[3]]), (across, [last[0], last[1], last[2]])]
    for right in range(columns):
        shift = (rows - 1) * SIDE / 2
        above = _corners(MARGIN + right * SIDE, top)
        below = _corners(MARGIN + right * SIDE + shift, top + (rows - 1) * SIDE)
        outline += [(along, [above[5], above[0], above[1]]), (along, below[2:5])]
    return [
        tag(
            "polyline",
            points=" ".join(f"{x:g},{y:g}" for x, y in points),
            fill="none",
            stroke=colour,
            stroke_width=BORDER,
            stroke_linecap="round",
        )
        for colour, points in outline
    ]


def _corners(x: float, y: float) -> list[tuple[float, float]]:
    """Of a hexagon: the tip above, then clockwise."""
    middle, half = x + SIDE / 2, RISE / 2
    return [
        (middle, y - half),
        (x + SIDE, y + half),
        (x + SIDE, y + SIDE - half),
        (middle, y + SIDE + half),
        (x, y + SIDE - half),
        (x, y + half),
    ]
