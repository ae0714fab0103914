"""Stacks of things, known by facts that tell what lies on what: `(on a b)`.

>>> stacks = find_stacks([["(on a b)", "(table b)", "(table c)"], ["(on a c)"], ["(on b c)"]])
>>> stacks.towers(["(on a b)"])
[['b', 'a'], ['c']]
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from ggp.drawing.board import CHANGED, LIGHT, LINE, MARGIN, square
from ggp.drawing.grids import natural
from ggp.drawing.look import OTHERS
from ggp.drawing.svg import clipped, label, tag
from ggp.drawing.things import is_dark
from ggp.match.board_layout import Words
from ggp.match.term_text import terms_of

MIN_THINGS, MAX_THINGS = 3, 30
HEIGHT, WIDTH, GAP = 24.0, 60.0, 14.0
MAX_LETTERS = 8


@dataclass(frozen=True, slots=True)
class Stacks:
    """Things that lie on each other.

    Attributes:
        relation: Of the facts: `(on UPPER LOWER)`.
        things: All of them, in their order.
        bases: Those that never lie on anything, such as pillars.
        num_towers: As many as were ever seen beside each other.
    """

    relation: str
    things: tuple[str, ...]
    bases: frozenset[str]
    num_towers: int = 1

    def is_told_by(self, fact: str) -> bool:
        """Whether a fact is drawn here."""
        words = terms_of(fact) if fact.startswith("(") else ()
        return len(words) == 3 and words[0] == self.relation

    def towers(self, facts: Collection[str]) -> list[list[str]]:
        """Towers of things that lie on each other, the lowest thing first."""
        above = {words[2]: words[1] for words in map(terms_of, filter(self.is_told_by, facts))}
        lying = set(above.values())
        things = dict.fromkeys([*self.things, *sorted(above)])
        return [_tower(thing, above) for thing in things if thing not in lying][:MAX_THINGS]


def find_stacks(states: Sequence[Collection[str]]) -> Stacks | None:
    """The stacks of a game: nothing lies on two things or under two, and some change places.

    Args:
        states: Facts of positions, the initial one first.
    """
    split = [[terms_of(fact) for fact in facts if fact.startswith("(")] for facts in states]
    pairs = [[words for words in facts if len(words) == 3] for facts in split]
    for relation in sorted({words[0] for facts in pairs for words in facts}):
        mine = [[words for words in facts if words[0] == relation] for facts in pairs]
        upper = {words[1] for facts in mine for words in facts}
        lower = {words[2] for facts in mine for words in facts}
        things = upper | lower
        if not MIN_THINGS <= len(things) <= MAX_THINGS or not upper & lower:
            continue
        if all(name.isdecimal() for name in lower) or not all(_is_stacked(facts) for facts in mine):
            continue
        if len({frozenset(facts) for facts in mine}) > 1:
            ordered = tuple(sorted(things, key=natural))
            found = Stacks(relation, ordered, frozenset(lower - upper))
            return replace(found, num_towers=max(len(found.towers(facts)) for facts in states))
    return None


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


def _is_stacked(facts: Sequence[Words]) -> bool:
    """Whether nothing lies on or under two things, or above itself."""
    above = {words[2]: words[1] for words in facts}
    if len(above) < len(facts) or len(set(above.values())) < len(facts):
        return False
    return all(_tower(name, above)[-1] not in above for name in above)


def _tower(lowest: str, above: dict[str, str]) -> list[str]:
    """Tower that stands on a thing, with it; of things in a circle, each once."""
    tower = [lowest]
    while tower[-1] in above and above[tower[-1]] not in tower:
        tower.append(above[tower[-1]])
    return tower
