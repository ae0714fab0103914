"""Things on a board: discs, crosses, tiles and letters, drawn into a square of any size."""

from __future__ import annotations

from ggp.drawing.piece_style import PieceStyle
from ggp.drawing.svg import label, tag

EDGE = "#3a3f46"
LIGHT_INK, DARK_INK = "#ffffff", "#1a1d21"
LETTER = 1.3
"""Room for text in sides of the square: so many letters of the size of one side fit into it."""


def draw_shape(style: PieceStyle, x: float, y: float, side: float) -> str:
    """A thing in a square whose middle is (x, y)."""
    if style.shape == "none":
        return ""
    if style.shape == "dot":
        return tag("circle", cx=x, cy=y, r=0.13 * side, fill=style.fill, stroke=EDGE)
    if style.shape == "text":
        return _letters(style, x, y, side)
    if style.shape in {"cross", "ring", "triangle"}:
        return _strokes(style, x, y, side)
    return _ground(style, x, y, side) + _caption(style, x, y, side)


def _strokes(style: PieceStyle, x: float, y: float, side: float) -> str:
    """Shapes that are drawn with a pen."""
    stroke = {"stroke": style.fill, "stroke_width": side / 9, "fill": "none"}
    if style.shape == "ring":
        return tag("circle", cx=x, cy=y, r=0.29 * side, **stroke)
    if style.shape == "triangle":
        high, wide = 0.3 * side, 0.34 * side
        path = f"M{x:g} {y - high:g}l{wide:g} {2 * high:g}h{-2 * wide:g}z"
        return tag("path", d=path, stroke_linejoin="round", **stroke)
    reach = 0.28 * side
    path = f"M{x - reach:g} {y - reach:g}l{2 * reach:g} {2 * reach:g}"
    path += f"M{x + reach:g} {y - reach:g}l{-2 * reach:g} {2 * reach:g}"
    return tag("path", d=path, **stroke)


def _ground(style: PieceStyle, x: float, y: float, side: float) -> str:
    """A disc, a tile, or a block, which fills the whole square."""
    if style.shape == "disc":
        return tag("circle", cx=x, cy=y, r=0.38 * side, fill=style.fill, stroke=EDGE)
    reach = 0.5 * side if style.shape == "block" else 0.4 * side
    return tag(
        "rect",
        x=x - reach,
        y=y - reach,
        width=2 * reach,
        height=2 * reach,
        rx=None if style.shape == "block" else side / 12,
        fill=style.fill,
        stroke=EDGE,
    )


def _caption(style: PieceStyle, x: float, y: float, side: float) -> str:
    if not style.text:
        return ""
    size = side * min(0.46, LETTER / len(style.text))
    return label(style.text, x, y, size, LIGHT_INK if is_dark(style.fill) else DARK_INK)


def _letters(style: PieceStyle, x: float, y: float, side: float) -> str:
    """Text alone, in its own colour: with an edge, since it stands on any ground."""
    return tag(
        "g",
        label(style.text, x, y, side * min(0.8, LETTER / max(1, len(style.text))), style.fill),
        stroke=LIGHT_INK if is_dark(style.fill) else DARK_INK,
        stroke_width=side / 60,
    )


def is_dark(colour: str) -> bool:
    """Whether light text can be read on a colour, written `#rrggbb`."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return 0.3 * red + 0.59 * green + 0.11 * blue < 140
