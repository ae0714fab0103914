"""The simplified rules of 5 x 5 Go, written down without GDL: a second opinion on `goFive`.

A position is seen from who moves: a set of own stones and one of the opponent's. Points are
(column, row), counted from 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

Point = tuple[int, int]
Stones = frozenset[Point]

SIZE = 5
KOMI = 1.5
MAX_MOVES = 80
POINTS = tuple(product(range(SIZE), range(SIZE)))
NEIGHBOURS = {
    (x, y): tuple(p for p in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1)) if p in POINTS)
    for x, y in POINTS
}


def groups(stones: Stones) -> Iterator[Stones]:
    """The connected groups of one colour."""
    rest = set(stones)
    while rest:
        group = {rest.pop()}
        border = list(group)
        while border:
            near = rest.intersection(NEIGHBOURS[border.pop()])
            rest -= near
            group |= near
            border.extend(near)
        yield frozenset(group)


def liberties(group: Stones, occupied: Stones) -> set[Point]:
    """The empty points next to a group."""
    return {p for stone in group for p in NEIGHBOURS[stone]} - occupied


def after(mine: Stones, theirs: Stones, point: Point) -> tuple[Stones, Stones]:
    """Both sides' stones after mine has put one there: what has no liberty left is taken."""
    mine |= {point}
    for group in groups(theirs):
        if not liberties(group, mine | theirs):
            theirs -= group
    return mine, theirs


def is_own_area(mine: Stones, point: Point) -> bool:
    """Whether an empty point is an area of one point that one side surrounds."""
    return all(p in mine for p in NEIGHBOURS[point])


def allows(mine: Stones, theirs: Stones, point: Point) -> bool:
    """Whether a stone may be put on an empty point."""
    my_stones, their_stones = after(mine, theirs, point)
    if not all(liberties(group, my_stones | their_stones) for group in groups(my_stones)):
        return False
    # What the opponent would leave of my stones if the stone went there instead.
    return not is_own_area(mine, point) or after(theirs, mine, point)[1] != mine


def places(mine: Stones, theirs: Stones) -> list[Point]:
    """The points on which a stone may be put; whoever has no such point passes."""
    empty = [p for p in POINTS if p not in mine and p not in theirs]
    return [p for p in empty if allows(mine, theirs, p)]


def is_over(mine: Stones, theirs: Stones, num_moves: int) -> bool:
    """Whether nobody can put a stone anywhere, or the moves are used up."""
    return num_moves >= MAX_MOVES or not (places(mine, theirs) or places(theirs, mine))


def points(mine: Stones, theirs: Stones) -> int:
    """Stones, and areas of one point."""
    empty = set(POINTS) - mine - theirs
    return len(mine) + sum(is_own_area(mine, p) for p in empty)


def is_won_by_black(black: Stones, white: Stones) -> bool:
    """Whether black has more points, the komi taken off."""
    return points(black, white) - points(white, black) > KOMI
