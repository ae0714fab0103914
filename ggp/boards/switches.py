"""Boards made of several relations, exactly one of which holds for each place.

>>> [lamps] = find_switches([["(on p)", "(off q)", "(off r)"], ["(on p)", "(on q)", "(off r)"]])
>>> lamps.columns, lamps.cells(["(on p)"])
(('p', 'q', 'r'), {('p', ''): ['on']})
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from ggp.boards.board import Board, Cell, Layout, Words, split_facts
from ggp.boards.grids import natural

MIN_PLACES, MAX_SIDE, MAX_RELATIONS = 3, 40, 8
Seen = list[dict[str, set[Words]]]
"""For each state, the tuples of arguments for which each relation holds."""


@dataclass(frozen=True, slots=True)
class SwitchLayout(Layout):
    """Layout in which the relation is the content, and the one or two arguments are the place."""

    relations: frozenset[str] = frozenset()

    def cell(self, words: Words) -> Cell | None:
        """Return the cell that a fact names, or None if the fact does not have this layout."""
        if len(words) != self.num_words or words[0] not in self.relations:
            return None
        return Cell(words[1], words[2] if self.num_words == 3 else "", words[0])


def find_switches(states: Sequence[Collection[str]]) -> tuple[Board, ...]:
    """Find boards on which the content of a place is the name of a relation.

    A board is a single row of places, or has columns and rows.

    Args:
        states: Facts of positions, the initial one first. One position is not enough.
    """
    split = split_facts(states)
    found = [_board(_seen(split, num_words), num_words) for num_words in (2, 3)]
    return tuple(board for board in found if board is not None)


def _seen(states: list[list[Words]], num_words: int) -> Seen:
    found: Seen = []
    for facts in states:
        seen: dict[str, set[Words]] = {}
        for words in facts:
            if len(words) == num_words:
                seen.setdefault(words[0], set()).add(words[1:])
        found.append(seen)
    return found


def _board(states: Seen, num_words: int) -> Board | None:
    for relations, places in _exclusive(states):
        columns = tuple(sorted({place[0] for place in places}, key=natural))
        rows = ("",) if num_words == 2 else tuple(sorted({one[1] for one in places}, key=natural))
        is_fit = MIN_PLACES <= len(columns) <= MAX_SIDE and len(rows) <= MAX_SIDE
        if is_fit and len(places) == len(columns) * len(rows):
            layout = SwitchLayout(min(relations), num_words, 1, num_words - 1, relations=relations)
            return Board(layout, columns, rows[::-1], relations, None)
    return None


def _exclusive(states: Seen) -> Iterator[tuple[frozenset[str], set[Words]]]:
    """Yield groups of relations together with their places.

    In every state, exactly one relation of a group holds for each of its places.
    """
    ever: dict[str, set[Words]] = {}
    for seen in states:
        for name, places in seen.items():
            ever.setdefault(name, set()).update(places)
    left = sorted(ever, key=lambda name: (-len(ever[name]), name))
    while left:
        first = left[0]
        group = frozenset(name for name in left if ever[name] & ever[first])
        left = [name for name in left if name not in group]
        places = set[Words]().union(*(ever[name] for name in group))
        if 2 <= len(group) <= MAX_RELATIONS and all(
            _is_parted(seen, group, places) for seen in states
        ):
            yield group, places


def _is_parted(seen: dict[str, set[Words]], group: frozenset[str], places: set[Words]) -> bool:
    mine = [seen.get(name, set()) for name in group]
    return sum(map(len, mine)) == len(places) and set[Words]().union(*mine) == places
