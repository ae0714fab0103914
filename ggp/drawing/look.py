"""What the things on a board look like, guessed from their names and from those of the roles.

Names mean nothing in GDL, so a guess may be wrong, or find nothing where words are scrambled; then
each thing has its name and a colour of its own, and the picture is right all the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal

Shape = Literal["disc", "cross", "ring", "tile", "text"]

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
MAX_TEXT = 5

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
    lower = {thing.lower() for thing in things}
    if lower <= {"x", "o"}:
        return {thing: _mark(thing.lower()) for thing in things}
    is_chess = _is_chess(things)
    return {
        thing: _look(thing, colours, OTHERS[index % len(OTHERS)], is_chess)
        for index, thing in enumerate(things)
    }


def _mark(letter: str) -> Look:
    return Look("cross", COLOURS["blue"]) if letter == "x" else Look("ring", COLOURS["red"])


def _role_colours(roles: Sequence[str]) -> dict[str, str]:
    return {
        role.lower(): COLOURS.get(role.lower(), PALETTE[index % len(PALETTE)])
        for index, role in enumerate(roles)
    }


def _look(thing: str, colours: dict[str, str], other: str, is_chess: bool) -> Look:
    if thing.lower() in {"x", "o"}:
        return _mark(thing.lower())
    if thing.isdecimal():
        return Look("tile", "#e9dfc8", thing)
    words = [word.lower() for word in _WORD.findall(thing)]
    owner = _owner(words, colours)
    piece = _piece(words, thing) if is_chess else ""
    if piece:
        return Look("text", owner or other, CHESS[piece])
    rest = [word for word in words if word != owner and word not in colours and word not in COLOURS]
    text = "".join(rest)[:MAX_TEXT] if owner and len(thing) > 1 else ""
    if owner:
        return Look("disc", owner, "" if _names_owner(words, colours) else text)
    return Look("disc", other, thing.strip("()")[:MAX_TEXT])


def _owner(words: Sequence[str], colours: dict[str, str]) -> str:
    """The colour of the role or the colour that a thing's name tells of; empty if it does not."""
    for word in words:
        if word in colours:
            return colours[word]
        if word in COLOURS:
            return COLOURS[word]
    first = words[0] if words else ""
    if 1 <= len(first) <= 2:
        known = {**COLOURS, **colours} if any(role in COLOURS for role in colours) else colours
        fitting = {role for role in colours if role[0] == first[0]}
        if len(fitting) == 1:
            return known[fitting.pop()]
    return ""


def _names_owner(words: Sequence[str], colours: dict[str, str]) -> bool:
    """Whether the name says nothing but whose the thing is."""
    return all(word in colours or word in COLOURS for word in words) or (
        len(words) == 1 and len(words[0]) == 1
    )


def _is_chess(things: Sequence[str]) -> bool:
    """Whether a king and a pawn are among the things, spelled out or by a letter behind another."""
    found = {_piece([word.lower() for word in _WORD.findall(thing)], thing) for thing in things}
    return {"king", "pawn"} <= found


def _piece(words: Sequence[str], thing: str) -> str:
    for word in words:
        if word in CHESS:
            return word
    return LETTERS.get(thing[1].lower(), "") if len(thing) == 2 else ""
