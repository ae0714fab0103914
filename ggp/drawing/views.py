"""The view of a bundled game: what cannot be guessed from its names, in `games/views/NAME.toml`.

frame = { checkered = true, hexagons = true, points = true, upside_down = true, block = 3 }
sides = ["#c8372d", "#2f6fd0"]            # of hexagons: left and right edge, upper and lower one
hidden = ["step"]                         # relations that are not shown as cards
pins = ["at"]                             # (at WHO COLUMN ROW): a ring there, in WHO's colour

[things.white]                            # by the content of the cell
shape = "disc"                            # disc, cross, ring, triangle, tile, block, dot, text
fill = "#fbfaf5"
text = "W"

[walk]                                    # no cells, but (at COLUMN ROW) of somebody who walks
relation = "at"
columns = 6
rows = 6
always = { wall = ["1 5", "2 1"] }        # things that are not in the state

[piles]                                   # (heap PLACE NUMBER), or towers of (on THING PLACE)
relation = "heap"
kind = "heaps"
places = ["a", "b"]
most = 7
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import Any

from ggp import games
from ggp.boards.walk import Walk
from ggp.drawing.board import Frame
from ggp.drawing.piece_style import GREY, PieceStyle
from ggp.drawing.piles import Piles


@dataclass(frozen=True, slots=True)
class DrawingView:
    """Way in which a game is drawn."""

    frame: Frame = field(default_factory=Frame)
    things: Mapping[str, PieceStyle] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()
    pins: frozenset[str] = frozenset()
    walk: Walk | None = None
    piles: Piles | None = None


@cache
def view_of(game: str) -> DrawingView:
    """The view of a game; one that leaves everything to guesses if it has none."""
    file = games.folder() / "views" / f"{game}.toml"
    # Looked up rather than tried: `game` may come from outside and must not walk the file system.
    if game not in games.names() or not file.is_file():
        return DrawingView()
    with file.open("rb") as opened:
        fields = tomllib.load(opened)
    things = {
        content: PieceStyle(style["shape"], style.get("fill", GREY), style.get("text", ""))
        for content, style in fields.get("things", {}).items()
    }
    return DrawingView(
        _frame(fields),
        things,
        frozenset(fields.get("hidden", ())),
        frozenset(fields.get("pins", ())),
        _walk(fields.get("walk")),
        _piles(fields.get("piles")),
    )


def _frame(fields: Mapping[str, Any]) -> Frame:
    frame = fields.get("frame", {})
    sides = fields.get("sides")
    return Frame(
        is_checkered=frame.get("checkered"),
        is_upside_down=frame.get("upside_down", False),
        has_hexagons=frame.get("hexagons", False),
        has_points=frame.get("points", False),
        sides=(sides[0], sides[1]) if sides else None,
        block=frame.get("block", 0),
    )


def _walk(fields: Mapping[str, Any] | None) -> Walk | None:
    if fields is None:
        return None
    always = {
        tuple(place.split(" ", 1)): thing
        for thing, places in fields.get("always", {}).items()
        for place in places
    }
    found = {(column, row): thing for (column, row), thing in always.items()}
    return Walk(fields["relation"], fields["columns"], fields["rows"], found)


def _piles(fields: Mapping[str, Any] | None) -> Piles | None:
    if fields is None:
        return None
    return Piles(fields["relation"], fields["kind"], tuple(fields["places"]), fields["most"])
