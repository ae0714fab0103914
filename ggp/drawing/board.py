"""One board in SVG: squares, things, coordinates, and what has changed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

from ggp.drawing.look import Look
from ggp.drawing.svg import label, tag
from ggp.match.board import Board, Place

SIDE = 40.0
MARGIN = 18.0
LIGHT, DARK, CHANGED, LINE, NAMES = "#efe6d2", "#ddcfb2", "#f5d76e", "#9c8a63", "#7b8491"
WORDS_APART = " "


@dataclass(frozen=True, slots=True)
class Frame:
    """How a board is laid out."""

    is_checkered: bool = True
    is_upside_down: bool = False
    """Whether the first row stands on top."""
    has_hexagons: bool = False
    """Whether each row stands half a place further right than the one above it."""


def size_of(board: Board, frame: Frame) -> tuple[float, float]:
    """Width and height of a board's picture."""
    slant = (len(board.rows) - 1) * SIDE / 2 if frame.has_hexagons else 0.0
    return MARGIN + len(board.columns) * SIDE + slant, MARGIN + len(board.rows) * SIDE


def draw_board(
    board: Board,
    facts: Collection[str],
    changed: Collection[Place],
    looks: Mapping[str, Look],
    frame: Frame,
) -> list[str]:
    """The parts of a board's picture."""
    cells = board.cells(facts)
    rows = board.rows if frame.is_upside_down else board.rows[::-1]
    parts = []
    for (down, row), (right, column) in product(enumerate(rows), enumerate(board.columns)):
        slant = down * SIDE / 2 if frame.has_hexagons else 0.0
        x, y = MARGIN + right * SIDE + slant, down * SIDE
        place = (column, row)
        shade = LIGHT if not frame.is_checkered or (down + right) % 2 == 0 else DARK
        fill = CHANGED if place in changed else shade
        contents = [one for one in cells.get(place, []) if one != board.blank]
        words = " ".join((column, row, *contents))
        parts.append(
            tag(
                "g",
                tag("title", words.replace("&", "").replace("<", "")),
                _ground(x, y, fill, frame),
                *_things(contents, x, y, looks),
                data_words=WORDS_APART.join(place),
            )
        )
    return [*parts, *_names(board, rows, frame)]


def _ground(x: float, y: float, fill: str, frame: Frame) -> str:
    if not frame.has_hexagons:
        return tag("rect", x=x, y=y, width=SIDE, height=SIDE, fill=fill, stroke=LINE)
    middle, height = x + SIDE / 2, SIDE * 0.28
    corners = [
        (middle, y - height / 2),
        (x + SIDE, y + height / 2),
        (x + SIDE, y + SIDE - height / 2),
        (middle, y + SIDE + height / 2),
        (x, y + SIDE - height / 2),
        (x, y + height / 2),
    ]
    points = " ".join(f"{right:g},{down:g}" for right, down in corners)
    return tag("polygon", points=points, fill=fill, stroke=LINE)


def _things(contents: Sequence[str], x: float, y: float, looks: Mapping[str, Look]) -> list[str]:
    """All that is in a place, the smaller the more there is."""
    if not contents:
        return []
    scale = 1.0 if len(contents) == 1 else 0.5
    found = []
    for index, content in enumerate(contents[:4]):
        across, down = (index % 2, index // 2) if scale < 1 else (0, 0)
        centre = (x + SIDE * scale * (across + 0.5), y + SIDE * scale * (down + 0.5))
        found.append(_thing(looks[content], *centre, SIDE * scale))
    return found


def _thing(look: Look, x: float, y: float, side: float) -> str:
    ink = "#ffffff" if _is_dark(look.fill) else "#1a1d21"
    edge, radius = "#3a3f46", 0.38 * side
    size = side * (0.42 if len(look.text) < 3 else 0.9 / len(look.text))
    text = label(look.text, x, y, size, ink) if look.text else ""
    match look.shape:
        case "cross":
            reach = 0.28 * side
            strokes = f"M{x - reach:g} {y - reach:g}l{2 * reach:g} {2 * reach:g}"
            strokes += f"M{x + reach:g} {y - reach:g}l{-2 * reach:g} {2 * reach:g}"
            return tag("path", d=strokes, stroke=look.fill, stroke_width=side / 9, fill="none")
        case "ring":
            return tag(
                "circle",
                cx=x,
                cy=y,
                r=0.29 * side,
                fill="none",
                stroke=look.fill,
                stroke_width=side / 9,
            )
        case "tile":
            square = tag(
                "rect",
                x=x - radius,
                y=y - radius,
                width=2 * radius,
                height=2 * radius,
                rx=side / 12,
                fill=look.fill,
                stroke=edge,
            )
            return square + text
        case "text":
            outline = "#fbfaf5" if _is_dark(look.fill) else "#26292e"
            return tag(
                "g",
                label(look.text, x, y, 0.8 * side, look.fill),
                stroke=outline,
                stroke_width=side / 60,
            )
    disc = tag("circle", cx=x, cy=y, r=radius, fill=look.fill, stroke=edge)
    return disc + text


def _names(board: Board, rows: Sequence[str], frame: Frame) -> list[str]:
    """The coordinates, at the left and below."""
    _, height = size_of(board, frame)
    slant = SIDE / 2 if frame.has_hexagons else 0.0
    left = [
        label(row, MARGIN / 2 + down * slant, (down + 0.5) * SIDE, 11, NAMES)
        for down, row in enumerate(rows)
    ]
    shift = (len(rows) - 1) * slant
    below = [
        label(column, MARGIN + (right + 0.5) * SIDE + shift, height - MARGIN / 2, 11, NAMES)
        for right, column in enumerate(board.columns)
    ]
    return left + below


def _is_dark(colour: str) -> bool:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return 0.3 * red + 0.59 * green + 0.11 * blue < 140
