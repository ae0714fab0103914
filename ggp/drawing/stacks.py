"""Stacks of things that lie on each other."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

from ggp.boards.grids import natural
from ggp.boards.stacks import Stacks
from ggp.drawing.board import square
from ggp.drawing.frame import CHANGED, LIGHT, LINE, MARGIN
from ggp.drawing.piece_style import OTHERS
from ggp.drawing.shapes import is_dark
from ggp.drawing.svg import clipped, label, tag

HEIGHT, WIDTH, GAP = 24.0, 60.0, 14.0
MAX_LETTERS = 8


def draw_stacks(
    stacks: Stacks, facts: Collection[str], before: Collection[str] | None
) -> tuple[list[str], float, float]:
    """The parts of the picture, its width and height.

    Marked are things that lie on another one than before.
    """
    then = _pairs(stacks.towers(before)) if before is not None else None
    towers = sorted(stacks.towers(facts), key=lambda tower: natural(tower[0]))
    width = max(2, stacks.num_towers, len(towers)) * (WIDTH + GAP) + MARGIN
    height = (len(stacks.things) - max(0, len(stacks.bases) - 1)) * HEIGHT + GAP
    height = max(height, max(map(len, towers), default=0) * HEIGHT + GAP)
    floor = height - GAP / 2
    parts = [tag("path", d=f"M0 {floor:g}H{width:g}", stroke=LINE, stroke_width=3)]
    for column, tower in enumerate(towers):
        middle = (MARGIN + WIDTH + GAP) / 2 + column * (WIDTH + GAP)
        for level, thing in enumerate(tower):
            is_new = level > 0 and then is not None and (tower[level - 1], thing) not in then
            y = floor - (level + 1) * HEIGHT
            parts.append(_block(stacks, thing, middle, y, is_new=is_new))
    return parts, width, height


def _pairs(towers: Sequence[Sequence[str]]) -> set[tuple[str, str]]:
    return {pair for tower in towers for pair in pairwise(tower)}


def _block(stacks: Stacks, thing: str, x: float, y: float, *, is_new: bool) -> str:
    at = stacks.things.index(thing) if thing in stacks.things else 0
    is_base = thing in stacks.bases
    fill = LIGHT if is_base else OTHERS[at % len(OTHERS)]
    # Things on pillars have sizes, as in Hanoi; blocks on a table are alike.
    wide = WIDTH if is_base or not stacks.bases else WIDTH * (0.5 + 0.5 * _rank(stacks, thing))
    ink = "#ffffff" if is_dark(fill) else "#1a1d21"
    text = clipped(thing, MAX_LETTERS)
    box = tag(
        "rect",
        x=x - wide / 2,
        y=y,
        width=wide,
        height=HEIGHT,
        rx=3,
        fill=fill,
        stroke=CHANGED if is_new else LINE,
        stroke_width=3 if is_new else 1,
    )
    return square(
        (thing,), [box, label(text, x, y + HEIGHT / 2, min(11.0, 1.4 * wide / len(text)), ink)], ()
    )


def _rank(stacks: Stacks, thing: str) -> float:
    movable = [one for one in stacks.things if one not in stacks.bases]
    return (movable.index(thing) + 1) / len(movable) if thing in movable else 1.0
