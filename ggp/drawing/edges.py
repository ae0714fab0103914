"""Lines around or between the places of a board, dots, and gaps where lines may be drawn."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from itertools import product

from ggp.boards.board import Board, Place
from ggp.boards.overlays import Edges, Ends, edge_words
from ggp.drawing.board import CHANGED, MARGIN, MAX_WORDS, SIDE, Frame, draw_name
from ggp.drawing.svg import clipped, tag, title

MAX_EDGES = 1000
INK, WIDTH, REACH = "#26292e", 4.0, 9.0
DOT, ROOM = 3.5, 6.0
"""Radius of a dot, and the space outside the board for the outer dots and their names."""


def draw_edges(
    kinds: Sequence[Edges], facts: Collection[str], before: Collection[str] | None, frame: Frame
) -> list[str]:
    """Draw the lines, highlight new ones, and add invisible lines where lines are missing.

    Users can click an invisible line to choose the move that draws it.

    Args:
        before: Facts of the previous position, which show which lines are new.
    """
    lines: list[str] = []
    free = {(edges.is_between, ends): edges for edges in kinds for ends in edges.all_ends()}
    then = set(before) if before is not None else None
    for edges in kinds:
        for fact in [fact for fact in facts if edges.ends(fact)][:MAX_EDGES]:
            ends = edges.ends(fact)
            assert ends is not None
            free.pop((edges.is_between, ends), None)
            line = {"d": _path(edges, ends, frame), "stroke_linecap": "round"}
            drawn = [tag("path", **line, stroke=INK, stroke_width=WIDTH)]
            if then is not None and fact not in then:
                drawn.insert(0, tag("path", **line, stroke=CHANGED, stroke_width=2.5 * WIDTH))
            lines.append(_edge(edges.words(ends), " ".join(edge_words(fact)), drawn))
    gaps = [_gap(edges, ends, frame) for (_, ends), edges in list(free.items())[:MAX_EDGES]]
    return [*gaps, *lines]


def draw_dots(kinds: Sequence[Edges], frame: Frame) -> list[str]:
    """Draw the dots and their names if lines join corners of places. Otherwise draw nothing."""
    edges = _around(kinds)
    if edges is None:
        return []
    rows = edges.rows if frame.is_upside_down else edges.rows[::-1]
    bottom = (len(rows) - 1) * SIDE
    dots = [
        tag("circle", cx=MARGIN + x * SIDE, cy=y * SIDE, r=DOT, fill=INK, pointer_events="none")
        for x, y in product(range(len(edges.columns)), range(len(rows)))
    ]
    left = [draw_name(row, MARGIN / 2 - 2, y * SIDE, MARGIN - DOT) for y, row in enumerate(rows)]
    below = [
        draw_name(column, MARGIN + x * SIDE, bottom + ROOM / 2 + MARGIN / 2, SIDE)
        for x, column in enumerate(edges.columns)
    ]
    return [*dots, *left, *below]


def sides_of(board: Board, kinds: Sequence[Edges]) -> Mapping[Place, str]:
    """Return the words for the lines around each place. Return {} if lines do not join corners."""
    edges = _around(kinds)
    if edges is None:
        return {}
    found = {}
    for (x, column), (y, row) in product(enumerate(board.columns), enumerate(board.rows)):
        lower, upper = ((x, y), (x + 1, y)), ((x, y + 1), (x + 1, y + 1))
        sides = (lower, upper, (lower[0], upper[0]), (lower[1], upper[1]))
        found[column, row] = ", ".join(_named(edges.words(ends)) for ends in sides)
    return found


def _around(kinds: Sequence[Edges]) -> Edges | None:
    return next((edges for edges in kinds if not edges.is_between), None)


def _gap(edges: Edges, ends: Ends, frame: Frame) -> str:
    words = edges.words(ends)
    (x, y), (right, lower) = sorted(_points(edges, ends, frame))
    size = {"width": right - x + REACH, "height": abs(lower - y) + REACH}
    bar = tag(
        "rect", x=x - REACH / 2, y=min(y, lower) - REACH / 2, **size, rx=2.0, fill=INK, opacity=0
    )
    return _edge(words, f"{' '.join(words[:2])} to {' '.join(words[2:])}", [bar], "none")


def _edge(words: Sequence[str], said: str, parts: Sequence[str], events: str | None = None) -> str:
    """Draw a line with a tooltip, and with data that says which words in a move name the line."""
    return tag("g", title(said), *parts, data_lines=_named(words), pointer_events=events)


def _named(words: Sequence[str]) -> str:
    return clipped(" ".join(words), MAX_WORDS)


def _path(edges: Edges, ends: Ends, frame: Frame) -> str:
    points = _points(edges, ends, frame)
    return "".join(f"{letter}{x:g} {y:g}" for letter, (x, y) in zip("ML", points, strict=True))


def _points(edges: Edges, ends: Ends, frame: Frame) -> list[tuple[float, float]]:
    """Return the coordinates of a line's two ends in the picture."""
    (column, row), (right, upper) = ends
    across = right > column
    if edges.is_between and across:  # a wall between left and right is vertical
        start, end = (right, row), (right, row + 1)
    elif edges.is_between:
        start, end = (column, max(row, upper)), (column + 1, max(row, upper))
    else:
        start, end = ends
    height = len(edges.rows) - (0 if edges.is_between else 1)
    return [
        (MARGIN + x * SIDE, (y if frame.is_upside_down else height - y) * SIDE)
        for x, y in (start, end)
    ]
