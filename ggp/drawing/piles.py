"""Piles in SVG: heaps and towers of numbered things, and stacks of named things."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from ggp.boards.grids import natural
from ggp.boards.stacks import Stacks
from ggp.drawing.board import CHANGED, LIGHT, LINE, MARGIN, NAMES, square
from ggp.drawing.piece_style import OTHERS, is_dark
from ggp.drawing.svg import clipped, label, tag
from ggp.term_text import terms_of, words_of

HEIGHT, WIDTH, SMALLEST = 20.0, 90.0, 30.0
OBJECT, EDGE, INK = "#8a5a33", "#3a3f46", "#ffffff"
COLOURS = ("#c8372d", "#e8862a", "#2f9e55", "#2f6fd0", "#8a4fc0", "#8a5a33", "#5f8f8a", "#8a9099")


@dataclass(frozen=True, slots=True)
class Piles:
    """Piles of things in places next to each other, and the facts that describe them.

    Attributes:
        relation: Relation of the facts `(heap PLACE NUMBER)` or `(on THING PLACE)`.
        kind: `heaps` if facts count equal things. `towers` if facts name things of different sizes.
            Then names that sort first belong to the smallest things.
        places: Places from left to right.
        most: Maximum number of things in one place.
    """

    relation: str
    kind: Literal["heaps", "towers"]
    places: tuple[str, ...]
    most: int

    def is_fact(self, fact: str) -> bool:
        """Return whether a fact is part of these piles."""
        return words_of(fact)[:1] == (self.relation,)

    def contents(self, facts: Collection[str]) -> dict[str, list[str]]:
        """Return the names of the things in each place, the lowest first. Counted things get ""."""
        facts_of_piles = [terms_of(fact) for fact in facts if self.is_fact(fact)]
        found: dict[str, list[str]] = {place: [] for place in self.places}
        for words in sorted(facts_of_piles, reverse=True):
            if len(words) != 3:
                continue
            if self.kind == "towers":
                found.setdefault(words[2], []).append(words[1])
            elif words[2].isdecimal() and len(words[2]) < 10:
                found.setdefault(words[1], []).extend([""] * min(int(words[2]), self.most))
        return found

    @property
    def size(self) -> tuple[float, float]:
        """Width and height of the picture."""
        return len(self.places) * WIDTH, (self.most + 1) * HEIGHT + MARGIN


def draw_piles(piles: Piles, facts: Collection[str], before: Collection[str] | None) -> list[str]:
    """Draw the piles.

    Args:
        before: Facts of the previous position. Mark the places that have changed since then.
    """
    now = piles.contents(facts)
    then = piles.contents(before) if before is not None else now
    return [
        _pile(piles, index, place, now[place], is_changed=now[place] != then.get(place))
        for index, place in enumerate(piles.places)
    ]


def _pile(piles: Piles, index: int, place: str, things: Sequence[str], *, is_changed: bool) -> str:
    x, (_, height) = index * WIDTH, piles.size
    floor = height - MARGIN
    fill = CHANGED if is_changed else LIGHT
    ground = tag("rect", x=x, y=0.0, width=WIDTH, height=floor, fill=fill, stroke=LINE)
    drawn = [
        _thing(piles, thing, x + WIDTH / 2, floor - (level + 0.5) * HEIGHT)
        for level, thing in enumerate(things)
    ]
    name = label(place, x + WIDTH / 2, height - MARGIN / 2, 11, NAMES)
    said = [thing for thing in things if thing] or [str(len(things))]
    return square((place,), [ground, *drawn, name], said)


def _thing(piles: Piles, thing: str, x: float, y: float) -> str:
    if piles.kind == "heaps":
        return tag("circle", cx=x, cy=y, r=HEIGHT * 0.42, fill=OBJECT, stroke=EDGE)
    size = int(thing) if thing.isdecimal() and len(thing) < 10 else piles.most
    step = (WIDTH - 8 - SMALLEST) / max(1, piles.most - 1)
    wide = min(WIDTH - 8, SMALLEST + step * (size - 1))
    bar = tag(
        "rect",
        x=x - wide / 2,
        y=y - HEIGHT / 2,
        width=wide,
        height=HEIGHT,
        rx=5,
        fill=COLOURS[size % len(COLOURS)],
        stroke=EDGE,
    )
    return square((thing,), [bar, label(thing, x, y, 12, INK)], ())


BLOCK_HEIGHT, BLOCK_WIDTH, GAP = 24.0, 60.0, 14.0
MAX_LETTERS = 8


def draw_stacks(
    stacks: Stacks, facts: Collection[str], before: Collection[str] | None
) -> tuple[list[str], float, float]:
    """Draw the stacks. Return the parts of the picture, its width and its height.

    Mark things that were on another thing before.
    """
    then = _pairs(stacks.towers(before)) if before is not None else None
    towers = sorted(stacks.towers(facts), key=lambda tower: natural(tower[0]))
    width = max(2, stacks.num_towers, len(towers)) * (BLOCK_WIDTH + GAP) + MARGIN
    height = (len(stacks.things) - max(0, len(stacks.bases) - 1)) * BLOCK_HEIGHT + GAP
    height = max(height, max(map(len, towers), default=0) * BLOCK_HEIGHT + GAP)
    floor = height - GAP / 2
    parts = [tag("path", d=f"M0 {floor:g}H{width:g}", stroke=LINE, stroke_width=3)]
    for column, tower in enumerate(towers):
        middle = (MARGIN + BLOCK_WIDTH + GAP) / 2 + column * (BLOCK_WIDTH + GAP)
        for level, thing in enumerate(tower):
            is_new = level > 0 and then is not None and (tower[level - 1], thing) not in then
            y = floor - (level + 1) * BLOCK_HEIGHT
            parts.append(_block(stacks, thing, middle, y, is_new=is_new))
    return parts, width, height


def _pairs(towers: Sequence[Sequence[str]]) -> set[tuple[str, str]]:
    return {pair for tower in towers for pair in pairwise(tower)}


def _block(stacks: Stacks, thing: str, x: float, y: float, *, is_new: bool) -> str:
    at = stacks.things.index(thing) if thing in stacks.things else 0
    is_base = thing in stacks.bases
    fill = LIGHT if is_base else OTHERS[at % len(OTHERS)]
    # Things on pillars have different sizes, as in Hanoi. Blocks on a table all look alike.
    wide = (
        BLOCK_WIDTH
        if is_base or not stacks.bases
        else BLOCK_WIDTH * (0.5 + 0.5 * _rank(stacks, thing))
    )
    ink = "#ffffff" if is_dark(fill) else "#1a1d21"
    text = clipped(thing, MAX_LETTERS)
    box = tag(
        "rect",
        x=x - wide / 2,
        y=y,
        width=wide,
        height=BLOCK_HEIGHT,
        rx=3,
        fill=fill,
        stroke=CHANGED if is_new else LINE,
        stroke_width=3 if is_new else 1,
    )
    return square(
        (thing,),
        [box, label(text, x, y + BLOCK_HEIGHT / 2, min(11.0, 1.4 * wide / len(text)), ink)],
        (),
    )


def _rank(stacks: Stacks, thing: str) -> float:
    movable = [one for one in stacks.things if one not in stacks.bases]
    return (movable.index(thing) + 1) / len(movable) if thing in movable else 1.0
