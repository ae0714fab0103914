"""Styles for the contents of places, guessed from their names, and the shapes to draw."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

from ggp.boards.board import EMPTY
from ggp.drawing.svg import label, tag

Shape = Literal["disc", "cross", "ring", "triangle", "tile", "block", "dot", "text", "none"]
"""Shape of a thing. A `block` fills the square, and `none` is invisible."""

COLOURS = {
    "white": "#fbfaf5",
    "black": "#26292e",
    "red": "#c8372d",
    "yellow": "#f0c330",
    "blue": "#2f6fd0",
    "green": "#2f9e55",
    "orange": "#e8862a",
    "purple": "#8a4fc0",
    "pink": "#e26fa3",
    "brown": "#8a5a33",
    "grey": "#8a9099",
    "gray": "#8a9099",
    "silver": "#b9c0c8",
    "gold": "#d6a11d",
    "cyan": "#2aa7b8",
    "magenta": "#b8339a",
}
PALETTE = ("#fbfaf5", "#26292e", "#c8372d", "#2f6fd0", "#2f9e55", "#f0c330", "#8a4fc0", "#2aa7b8")
"""Colours of the roles, in order, for roles whose names are not colours."""
OTHERS = ("#b9894a", "#5f8f8a", "#9a6fb0", "#7f9a3d", "#c07060", "#5a7fb5", "#a08a30", "#7a7f88")
"""Colours of things that belong to no role."""
CHESS = {"king": "♚", "queen": "♛", "rook": "♜", "bishop": "♝", "knight": "♞", "pawn": "♟"}
LETTERS = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}
INITIALS = {"w": "white", "b": "black", "r": "red", "y": "yellow", "g": "green"}
"""Initials of colours in two-letter names of pieces."""
MARKS: dict[str, tuple[Shape, str]] = {
    "x": ("cross", "blue"),
    "o": ("ring", "red"),
    "z": ("triangle", "green"),
}
WALLS = frozenset({"wall", "walls", "brick", "block", "blocked", "hole", "arrow", "dirt"})
DOTS = frozenset({"dot", "pellet", "food", "pebble"})
GREY = "#8a9099"
WALL_FILL, DOT_FILL, TILE_FILL = "#6b7078", "#e8862a", "#f6f0e0"
MAX_TEXT = 6
MIN_NUMBERED = 3
"""Minimum number of things such as `s4` and `s5` for them to be drawn as numbers."""
LIT, UNLIT = frozenset({"on", "lit", "light", "true"}), frozenset({"off", "unlit", "dark", "false"})
LIT_FILL, UNLIT_FILL = "#f0c330", "#4a4f57"

_NUMBERED = re.compile(r"([A-Za-z]+)(\d{1,3})", re.ASCII)
_PAIR = re.compile(r"(\d{1,3}) (\S+)", re.ASCII)
_MAN = re.compile(r"[wbWB][kqrbnpKQRBNP]")
_MARKING = re.compile(r"([xoz])_?(?:player)?")
_WORD = re.compile(r"[a-z]+|[A-Z][a-z]*|\d+")


@dataclass(frozen=True, slots=True)
class PieceStyle:
    """The style of one drawn thing: its shape, its colour and its text."""

    shape: Shape
    fill: str
    text: str = ""


def styles_of(contents: Iterable[str], roles: Sequence[str]) -> dict[str, PieceStyle]:
    """Return a style for each content of a board."""
    things = sorted(contents)
    colours = role_colours(roles)
    pieces = _pieces(things)
    found = {
        thing: _style(thing, colours, OTHERS[index % len(OTHERS)], pieces)
        for index, thing in enumerate(things)
    }
    return found | _numbered(things) | _pairs(things, colours)


def _pairs(things: Sequence[str], colours: dict[str, str]) -> dict[str, PieceStyle]:
    """Return tiles for things that are a number and a word. The word decides the colour."""
    matches = {thing: match for thing in things if (match := _PAIR.fullmatch(thing))}
    kinds = sorted({match[2] for match in matches.values()})
    fills = {kind: OTHERS[index % len(OTHERS)] for index, kind in enumerate(kinds)}
    return {
        thing: PieceStyle("tile", colours.get(match[2].lower(), fills[match[2]]), match[1])
        for thing, match in matches.items()
    }


def _numbered(things: Sequence[str]) -> dict[str, PieceStyle]:
    """Return numbered tiles if all things are the same letters and a number, as in `s4`, `s5`."""
    matches = {one: _NUMBERED.fullmatch(one) for one in things if one.lower() not in EMPTY}
    prefixes = {match[1] for match in matches.values() if match}
    if len(prefixes) != 1 or not all(matches.values()) or len(matches) < MIN_NUMBERED:
        return {}
    is_name = len(prefixes.pop()) > 2
    return {
        thing: PieceStyle("tile", OTHERS[index % len(OTHERS)] if is_name else TILE_FILL, match[2])
        for index, (thing, match) in enumerate(matches.items())
        if match
    }


def _mark(letter: str) -> PieceStyle:
    shape, colour = MARKS[letter]
    return PieceStyle(shape, COLOURS[colour])


def role_colours(roles: Sequence[str]) -> dict[str, str]:
    """Return the colour of each role, by its name in lower case."""
    return {
        role.lower(): _role_colour(role.lower(), PALETTE[index % len(PALETTE)])
        for index, role in enumerate(roles)
    }


def _role_colour(role: str, other: str) -> str:
    """Return the colour that a role's name or its marks (x, o, z) suggest, or else `other`."""
    marks = _MARKING.fullmatch(role)
    return COLOURS.get(MARKS[marks[1]][1] if marks else role, other)


def _style(thing: str, colours: dict[str, str], other: str, pieces: frozenset[str]) -> PieceStyle:
    lower = thing.lower()
    words = [word.lower() for word in _WORD.findall(thing)]
    plain = _plain_style(lower)
    if plain is not None:
        return plain
    if lower in LIT | UNLIT and lower not in colours:
        return PieceStyle("tile", LIT_FILL if lower in LIT else UNLIT_FILL)
    owner = _owner(words, colours)
    piece = _piece(words, thing)
    if piece in pieces:
        side = owner or COLOURS.get(INITIALS.get(lower[0], ""), other)
        if pieces == {"king", "pawn"}:  # checkers: a pawn is a disc, and a king has a crown
            return PieceStyle("disc", side, CHESS["king"] if piece == "king" else "")
        return PieceStyle("text", side, CHESS[piece])
    rest = [word for word in words if word != owner and word not in colours and word not in COLOURS]
    if not owner:
        return PieceStyle("disc", other, thing.strip("()")[:MAX_TEXT])
    text = "".join(rest)[:MAX_TEXT] if len(thing) > 1 else ""
    return PieceStyle("disc", owner, "" if _names_owner(words, colours) else text)


def _plain_style(lower: str) -> PieceStyle | None:
    if lower in MARKS:
        return _mark(lower)
    if lower.isdecimal():
        return PieceStyle("tile", TILE_FILL, lower[:MAX_TEXT])
    if lower in EMPTY:
        return PieceStyle("none", TILE_FILL)
    if lower in WALLS:
        return PieceStyle("block", WALL_FILL)
    return PieceStyle("dot", DOT_FILL) if lower in DOTS else None


def _owner(words: Sequence[str], colours: dict[str, str]) -> str:
    """Return the colour for a thing whose name mentions a role or a colour, or "" if none."""
    for word in words:
        if word in colours:
            return colours[word]
        if word in COLOURS:
            return COLOURS[word]
    first = words[0] if words else ""
    if 1 <= len(first) <= 2:
        fitting = {role for role in colours if role[0] == first[0]}
        if len(fitting) == 1:
            return colours[fitting.pop()]
    return ""


def _names_owner(words: Sequence[str], colours: dict[str, str]) -> bool:
    """Return whether the name of a thing says nothing except who owns it."""
    return all(word in colours or word in COLOURS for word in words) or (
        len(words) == 1 and len(words[0]) == 1
    )


def _pieces(things: Sequence[str]) -> frozenset[str]:
    """Return the kinds of chess pieces among the things, written as words or as letters."""
    spelled = {_spelled(thing) for thing in things} - {""}
    short = [thing for thing in things if _MAN.fullmatch(thing)]
    found = frozenset(spelled | {_piece([], thing) for thing in things if len(thing) == 2} - {""})
    if "king" in found and len(found) > 1:
        return found
    colours = {thing[0].lower() for thing in short}
    spelled -= {"pawn"} if spelled == {"pawn"} else set()  # checkers also has pawns
    is_all = len(short) == sum(thing.lower() not in EMPTY for thing in things)
    are_men = colours == set("wb") or (is_all and colours)
    return frozenset(spelled | {LETTERS[thing[1].lower()] for thing in short if are_men})


def _spelled(thing: str) -> str:
    words = [word.lower() for word in _WORD.findall(thing)]
    return next((word for word in words if word in CHESS), "")


def _piece(words: Sequence[str], thing: str) -> str:
    for word in words:
        if word in CHESS:
            return word
    return LETTERS.get(thing[1].lower(), "") if len(thing) == 2 else ""


EDGE = "#3a3f46"
LIGHT_INK, DARK_INK = "#ffffff", "#1a1d21"
LETTER = 1.3
"""Width of the space for text, in sides of the square.

The font size is this width divided by the number of letters.
"""


def draw_shape(style: PieceStyle, x: float, y: float, side: float) -> str:
    """Draw a thing in a square with the centre (x, y)."""
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
    """Draw the text of a thing in the thing's colour.

    It has an outline, because the background may have any colour.
    """
    return tag(
        "g",
        label(style.text, x, y, side * min(0.8, LETTER / max(1, len(style.text))), style.fill),
        stroke=LIGHT_INK if is_dark(style.fill) else DARK_INK,
        stroke_width=side / 60,
    )


def is_dark(colour: str) -> bool:
    """Return whether a colour, given as `#rrggbb`, is so dark that text on it should be light."""
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return 0.3 * red + 0.59 * green + 0.11 * blue < 140
