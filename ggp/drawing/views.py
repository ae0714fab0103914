"""The view of a bundled game: what cannot be guessed from its names, in `games/views/NAME.toml`.

frame = { checkered = false, hexagons = true, upside_down = false }
hidden = ["control"]                      # relations that are not shown as cards

[things.white]                            # by the content of the cell
shape = "disc"                            # disc, cross, ring, tile, text
fill = "#fbfaf5"
text = "W"
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache

from ggp import games
from ggp.drawing.board import Frame
from ggp.drawing.look import Look


@dataclass(frozen=True, slots=True)
class View:
    """How a game wants to be drawn."""

    frame: Frame = field(default_factory=Frame)
    things: Mapping[str, Look] = field(default_factory=dict)
    hidden: frozenset[str] = frozenset()


@cache
def view_of(game: str) -> View:
    """The view of a game; one that leaves everything to guesses if it has none."""
    file = games.folder() / "views" / f"{game}.toml"
    # Looked up rather than tried: `game` may come from outside and must not walk the file system.
    if game not in games.names() or not file.is_file():
        return View()
    with file.open("rb") as opened:
        fields = tomllib.load(opened)
    frame = fields.get("frame", {})
    things = {
        content: Look(look["shape"], look.get("fill", "#8a9099"), look.get("text", ""))
        for content, look in fields.get("things", {}).items()
    }
    return View(
        Frame(
            is_checkered=frame.get("checkered", True),
            is_upside_down=frame.get("upside_down", False),
            has_hexagons=frame.get("hexagons", False),
        ),
        things,
        frozenset(fields.get("hidden", ())),
    )
