"""The frame of a drawn board: its layout, measures and colours."""

from __future__ import annotations

from dataclasses import dataclass

SIDE = 40.0
MARGIN = 18.0
LIGHT, DARK, CHANGED, LINE, NAMES = "#efe6d2", "#ddcfb2", "#f5d76e", "#9c8a63", "#7b8491"


@dataclass(frozen=True, slots=True)
class Frame:
    """Layout of a board.

    Attributes:
        is_checkered: As a chess board; None leaves it to what the game looks like.
        is_upside_down: Whether the first row stands on top.
        has_hexagons: Whether each row stands half a place further right than the one above it.
        has_points: Whether things lie where lines cross, as in Go.
        sides: Colours of the left and right edge, and of the upper and lower one, if any.
        block: Columns and rows of each of the blocks that are parted by thick lines; 0: none are.
    """

    is_checkered: bool | None = None
    is_upside_down: bool = False
    has_hexagons: bool = False
    has_points: bool = False
    sides: tuple[str, str] | None = None
    block: int = 0
