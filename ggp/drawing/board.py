"""One board in SVG: squares, things, coordinates, and marks for changes."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product

from ggp.boards.board import Board, Cells, Place
from ggp.drawing.piece_style import PieceStyle, draw_shape
from ggp.drawing.svg import clipped, label, tag, title

SIDE = 40.0
MARGIN = 18.0
LIGHT, DARK, CHANGED, LINE, NAMES = "#efe6d2", "#ddcfb2", "#f5d76e", "#9c8a63", "#7b8491"


@dataclass(frozen=True, slots=True)
class Frame:
    """The form of a drawn board: its orientation, the form of its places, and coloured edges.

    Attributes:
        is_checkered: Whether the board is checkered like a chess board. If None, it is checkered if
            there are pieces on it at the start.
        is_upside_down: Whether the first row is at the top.
        has_hexagons: Whether places are hexagons, and each row is half a place further right than
            the one above it.
        has_points: Whether things are on the intersections of lines, as in Go.
        sides: Colour of the left and right edges, then of the upper and lower edges. None if the
            edges have no colours.
        block: Number of columns and rows of the blocks that thick lines separate, or 0 without
            blocks.
        lines: The words with which moves may name the lines around each place.
    """

    is_checkered: bool | None = None
    is_upside_down: bool = False
    has_hexagons: bool = False
    has_points: bool = False
    sides: tuple[str, str] | None = None
    block: int = 0
    lines: Mapping[Place, str] = field(default_factory=dict)

    @property
    def shift(self) -> float:
        """The distance by which each row is further right than the row above it."""
        return SIDE / 2 if self.has_hexagons else 0.0

    @property
    def top(self) -> float:
        """Space above the first row, for the tips of hexagons."""
        return RISE / 2 if self.has_hexagons else 0.0

    def rows(self, board: Board) -> tuple[str, ...]:
        """Return the names of a board's rows from top to bottom."""
        return board.rows if self.is_upside_down else board.rows[::-1]


RISE = SIDE * 0.28
"""Height of the tip of a hexagon above its sides."""
BORDER = 5.0


def hexagon(x: float, y: float, fill: str) -> str:
    """Draw a hexagonal place."""
    corners = " ".join(f"{right:g},{down:g}" for right, down in _corners(x, y))
    return tag("polygon", points=corners, fill=fill, stroke=LINE)


def draw_sides(columns: int, rows: int, top: float, frame: Frame) -> list[str]:
    """Draw the coloured edges of a board of hexagons."""
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
    """Return the corners of a hexagon, clockwise from the upper tip."""
    middle, half = x + SIDE / 2, RISE / 2
    return [
        (middle, y - half),
        (x + SIDE, y + half),
        (x + SIDE, y + SIDE - half),
        (middle, y + SIDE + half),
        (x, y + SIDE - half),
        (x, y + half),
    ]


MAX_NAME, MAX_WORDS = 7, 200
"""Maximum number of characters of a coordinate, and of the words that name a square."""
PIN, PARTING = "#1a1d21", "#6b5c38"
MOST = 4
"""Maximum number of things to draw in one place."""
FAINTEST, CLEAREST = 0.25, 0.65
"""Opacity of contents that are nearly impossible, and of contents that are nearly certain."""
SHARE_SIZE = 0.28
"""Font size of a percentage, as a share of the space for the thing."""
Doubts = dict[Place, dict[str, float]]
"""For each place, the probability of each possible content."""


def size_of(board: Board, frame: Frame) -> tuple[float, float]:
    """Return the width and height of a board's picture."""
    slant = (len(board.rows) - 1) * frame.shift
    width, height = len(board.columns) * SIDE, len(board.rows) * SIDE
    return MARGIN + width + slant, MARGIN + height + 2 * frame.top


def draw_board(
    board: Board,
    cells: Cells,
    changed: Collection[Place],
    styles: Mapping[str, PieceStyle],
    frame: Frame,
    doubts: Doubts | None = None,
) -> list[str]:
    """Draw a board without the names of its columns and rows.

    Args:
        changed: Places to mark.
        styles: Styles of all contents.
        doubts: Probabilities of uncertain contents, which are drawn faintly.
    """
    rows = frame.rows(board)
    parts = []
    for (down, row), (right, column) in product(enumerate(rows), enumerate(board.columns)):
        x, y = MARGIN + right * SIDE + down * frame.shift, frame.top + down * SIDE
        place = (column, row)
        shade = DARK if frame.is_checkered and (down + right) % 2 else LIGHT
        fill = CHANGED if place in changed else shade
        shown = [one for one in cells.get(place, []) if one in styles]
        maybe = (doubts or {}).get(place, {})
        edges = (right == 0, right == len(board.columns) - 1, down == 0, down == len(rows) - 1)
        parts.append(
            square(
                place,
                [
                    _ground(x, y, fill, frame),
                    *(_cross(x, y, edges) if frame.has_points else ()),
                    *_things(shown, x, y, styles),
                    *_possible_things(maybe, x, y, styles),
                ],
                [*cells.get(place, []), *(f"{one} {maybe[one]:.0%}" for one in maybe)],
                board.layout.board_name,
                frame.lines.get(place),
            )
        )
    size = (len(board.columns), len(rows))
    return [*parts, *_partings(*size, frame), *draw_sides(*size, frame.top, frame)]


def pin(board: Board, place: Place, colour: str, frame: Frame, owner: str) -> list[str]:
    """Draw a ring in its owner's colour around a place. Draw nothing if there is no such place."""
    column, row = place
    rows = frame.rows(board)
    if column not in board.columns or row not in rows:
        return []
    right, down = board.columns.index(column), rows.index(row)
    x = MARGIN + (right + 0.5) * SIDE + down * frame.shift
    y = frame.top + (down + 0.5) * SIDE
    ring = {"cx": x, "cy": y, "r": 0.46 * SIDE, "fill": "none"}
    outer = tag("circle", **ring, stroke=PIN, stroke_width=4)
    inner = tag("circle", **ring, stroke=colour, stroke_width=2)
    return [tag("g", title(f"{owner} {column} {row}"), outer, inner)]


def square(
    words: Sequence[str],
    parts: Sequence[str],
    contents: Sequence[str],
    board_name: str = "",
    lines: str | None = None,
) -> str:
    """Draw a square with a tooltip, and with data that says which words in a move name the square.

    Args:
        board_name: The board of the square, if there are several.
        lines: Words for the lines around the square.
    """
    said = " ".join(filter(None, (board_name, *words, *contents)))
    named = clipped(" ".join(filter(None, words)), MAX_WORDS)
    board = clipped(board_name, MAX_WORDS) or None
    return tag("g", title(said), *parts, data_words=named, data_board=board, data_lines=lines)


def _ground(x: float, y: float, fill: str, frame: Frame) -> str:
    if frame.has_hexagons:
        return hexagon(x, y, fill)
    line = None if frame.has_points else LINE
    return tag("rect", x=x, y=y, width=SIDE, height=SIDE, fill=fill, stroke=line)


def _cross(x: float, y: float, edges: tuple[bool, bool, bool, bool]) -> list[str]:
    left, right, upper, lower = edges
    middle, height = x + SIDE / 2, y + SIDE / 2
    start, end = (middle if left else x), (middle if right else x + SIDE)
    above, below = (height if upper else y), (height if lower else y + SIDE)
    return [
        tag("path", d=f"M{start:g} {height:g}H{end:g}M{middle:g} {above:g}V{below:g}", stroke=LINE)
    ]


def _partings(columns: int, rows: int, frame: Frame) -> list[str]:
    """Draw the thick lines between blocks of a board, including the outer ones."""
    if not frame.block or frame.has_hexagons:
        return []
    width, height = columns * SIDE, rows * SIDE
    across = range(0, columns + 1, frame.block)
    along = range(rows, -1, -frame.block)
    lines = [
        *(f"M{MARGIN + right * SIDE:g} 0v{height:g}" for right in across),
        *(f"M{MARGIN:g} {down * SIDE:g}h{width:g}" for down in along),
    ]
    return [tag("path", d="".join(lines), fill="none", stroke=PARTING, stroke_width=3)]


def _things(
    contents: Sequence[str], x: float, y: float, styles: Mapping[str, PieceStyle]
) -> list[str]:
    """Draw the contents of a place. A block fills the place, and other things share its space."""
    blocks = [one for one in contents if styles[one].shape == "block"]
    others = [one for one in contents if styles[one].shape != "block"][:MOST]
    middle = (x + SIDE / 2, y + SIDE / 2)
    found = [draw_shape(styles[one], *middle, SIDE) for one in blocks]
    for content, (right, down, side) in zip(others, _spots(len(others), x, y), strict=True):
        found.append(draw_shape(styles[content], right, down, side))
    return found


def _spots(count: int, x: float, y: float) -> list[tuple[float, float, float]]:
    """Return the centre and the side of the space for each thing: the whole place, or a quarter."""
    side = SIDE if count == 1 else SIDE / 2
    return [
        (x + side * (index % 2 + 0.5), y + side * (index // 2 + 0.5), side)
        for index in range(count)
    ]


def _possible_things(
    shares: Mapping[str, float], x: float, y: float, styles: Mapping[str, PieceStyle]
) -> list[str]:
    """Draw the possible contents of a place with their percentages. Unlikely ones are fainter."""
    shown = [one for one in shares if one in styles and styles[one].shape != "none"]
    shown = sorted(shown, key=lambda one: -shares[one])[:MOST]
    found = []
    for content, (right, down, side) in zip(shown, _spots(len(shown), x, y), strict=True):
        opacity = FAINTEST + (CLEAREST - FAINTEST) * shares[content]
        found.append(tag("g", draw_shape(styles[content], right, down, side), opacity=opacity))
        found.append(label(f"{shares[content]:.0%}", right, down, SHARE_SIZE * side, PIN))
    return found


def draw_names(board: Board, frame: Frame) -> list[str]:
    """Draw the names of columns below the board, and of rows at the left."""
    rows = frame.rows(board)
    _, height = size_of(board, frame)
    left = [
        draw_name(row, MARGIN / 2 + down * frame.shift, frame.top + (down + 0.5) * SIDE, MARGIN)
        for down, row in enumerate(rows)
        if row
    ]
    shift = (len(rows) - 1) * frame.shift
    below = [
        draw_name(column, MARGIN + (right + 0.5) * SIDE + shift, height - MARGIN / 2, SIDE)
        for right, column in enumerate(board.columns)
    ]
    return left + below


def draw_name(name: str, x: float, y: float, room: float) -> str:
    """Draw the name of a column or row, small enough for the space that it has (`room`)."""
    text = clipped(name, MAX_NAME)
    return label(text, x, y, min(11.0, 1.5 * room / max(1, len(text))), NAMES)
