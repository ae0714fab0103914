"""Lines beside the places of a board: walls between two of them, or lines around them."""

from __future__ import annotations

from collections.abc import Collection

from ggp.boards.edges import Edges, Point
from ggp.drawing.board import square
from ggp.drawing.frame import CHANGED, MARGIN, SIDE, Frame
from ggp.drawing.svg import tag
from ggp.term_text import terms_of

MAX_EDGES = 1000
INK, WIDTH = "#26292e", 4.0


def draw_edges(
    edges: Edges, facts: Collection[str], before: Collection[str] | None, frame: Frame
) -> list[str]:
    """The lines; those that were not there before have a bright edge.

    Args:
        edges: Which facts are lines.
        facts: Of the position.
        before: Those of the position before.
        frame: Of the board.
    """
    parts = []
    then = set(before) if before is not None else None
    for fact in [fact for fact in facts if edges.ends(fact)][:MAX_EDGES]:
        ends = edges.ends(fact)
        assert ends is not None
        path = _path(edges, ends, frame)
        line = {"d": path, "stroke_linecap": "round"}
        drawn = [tag("path", **line, stroke=INK, stroke_width=WIDTH)]
        if then is not None and fact not in then:
            drawn.insert(0, tag("path", **line, stroke=CHANGED, stroke_width=2.5 * WIDTH))
        parts.append(square(terms_of(fact)[1:], drawn, (), edges.relation))
    return parts


def _path(edges: Edges, ends: tuple[Point, Point], frame: Frame) -> str:
    """From the lower left corner of the board's places, in sides of them."""
    (column, row), (right, upper) = ends
    across = right > column
    if edges.is_between and across:  # the wall stands upright between left and right
        start, end = (right, row), (right, row + 1)
    elif edges.is_between:
        start, end = (column, max(row, upper)), (column + 1, max(row, upper))
    else:
        start, end = ends
    height = len(edges.rows) - (0 if edges.is_between else 1)
    points = [
        (MARGIN + x * SIDE, (y if frame.is_upside_down else height - y) * SIDE)
        for x, y in (start, end)
    ]
    return "".join(f"{letter}{x:g} {y:g}" for letter, (x, y) in zip("ML", points, strict=True))
