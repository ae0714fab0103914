"""What the things on a board look like, guessed from their names and from those of the roles.

Names mean nothing in GDL, so a guess may be wrong, or find nothing where words are scrambled; then
each thing has its name and a colour of its own, and the picture is right all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Shape = Literal["disc", "cross", "ring", "triangle", "tile", "block", "dot", "text", "none"]
"""A block fills the square; `none` is nothing to see."""

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
"""Of the roles, in their order, where their names are no colours."""
OTHERS = ("#b9894a", "#5f8f8a", "#9a6fb0", "#7f9a3d", "#c07060", "#5a7fb5", "#a08a30", "#7a7f88")
"""Of things that belong to no role."""
CHESS = {"king": "♚", "queen": "♛", "rook": "♜", "bishop": "♝", "knight": "♞", "pawn": "♟"}
LETTERS = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}
INITIALS = {"w": "white", "b": "black", "r": "red", "y": "yellow", "g": "green"}
"""Of colours, where pieces have names of two letters."""
MARKS: dict[str, tuple[Shape, str]] = {
    "x": ("cross", "blue"),
    "o": ("ring", "red"),
    "z": ("triangle", "green"),
}
WALLS = frozenset({"wall", "walls", "brick", "block", "blocked", "hole", "arrow", "dirt"})
DOTS = frozenset({"dot", "pellet", "food", "pebble"})
EMPTY = frozenset({"blank", "empty", "none", "nil", "clear", "free", "available"})
GREY = "#8a9099"
WALL_FILL, DOT_FILL, TILE_FILL = "#6b7078", "#e8862a", "#f6f0e0"
MAX_TEXT = 6

_WORD = re.compile(r"[a-z]+|[A-Z][a-z]*|\d+")


@dataclass(frozen=True, slots=True)
class Look:
    """How one thing is drawn."""

    shape: Shape
    fill: str
    text: str = ""


def looks_of(contents: Iterable[str], roles: Sequence[str]) -> dict[str, Look]:
    """A look for each of the things that are ever on a board."""
    things = sorted(contents)
    colours = _role_colours(roles)
    pieces = _pieces(things)
    return {
        thing: _look(thing, colours, OTHERS[index % len(OTHERS)], pieces)
        for index, thing in enumerate(things)
    }


def _mark(letter: str) -> Look:
    shape, colour = MARKS[letter]
    return Look(shape, COLOURS[colour])


def _role_colours(roles: Sequence[str]) -> dict[str, str]:
    return {
        role.lower(): COLOURS.get(role.lower(), PALETTE[index % len(PALETTE)])
        for index, role in enumerate(roles)
    }


def _look(thing: str, colours: dict[str, str], other: str, pieces: frozenset[str]) -> Look:
    lower = thing.lower()
    words = [word.lower() for word in _WORD.findall(thing)]
    plain = _plain_look(lower)
    if plain is not None:
        return plain
    owner = _owner(words, colours)
    piece = _piece(words, thing)
    if piece in pieces:
        side = owner or COLOURS.get(INITIALS.get(lower[0], ""), other)
        if pieces == {"king", "pawn"}:  # checkers: a pawn is a disc, and a king has a crown
            return Look("disc", side, CHESS["king"] if piece == "king" else "")
        return Look("text", side, CHESS[piece])
    rest = [word for word in words if word != owner and word not in colours and word not in COLOURS]
    if not owner:
        return Look("disc", other, thing.strip("()")[:MAX_TEXT])
    text = "".join(rest)[:MAX_TEXT] if len(thing) > 1 else ""
    return Look("disc", owner, "" if _names_owner(words, colours) else text)


def _plain_look(lower: str) -> Look | None:
    """The look of what has the same one in every game; None if it has none such."""
    if lower in MARKS:
        return _mark(lower)
    if lower.isdecimal():
        return Look("tile", TILE_FILL, lower)
    if lower in EMPTY:
        return Look("none", TILE_FILL)
    if lower in WALLS:
        return Look("block", WALL_FILL)
    return Look("dot", DOT_FILL) if lower in DOTS else None


def _owner(words: Sequence[str], colours: dict[str, str]) -> str:
    """The colour of the role or the colour that a thing's name tells of; empty if it does not."""
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
    """Whether the name says nothing but whose the thing is."""
    return all(word in colours or word in COLOURS for word in words) or (
        len(words) == 1 and len(words[0]) == 1
    )


def _pieces(things: Sequence[str]) -> frozenset[str]:
    """The chess men among the things, spelled out or by a letter behind another; a king is one."""
    words = {_piece([word.lower() for word in _WORD.findall(thing)], thing) for thing in things}
    found = frozenset(words - {""})
    return found if "king" in found and len(found) > 1 else frozenset()


def _piece(words: Sequence[str], thing: str) -> str:
    for word in words:
        if word in CHESS:
            return word
    return LETTERS.get(thing[1].lower(), "") if len(thing) == 2 else ""
