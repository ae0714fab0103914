"""Boards whose facts name only places: `(at 3 4)` for a walker, `(marked 2 5)` for a mark.

>>> [board] = find_marks([["(set 1 1)", "(set 1 2)", "(set 2 1)", "(set 3 3)"]])
>>> board.columns, board.cells(["(set 1 2)"])
(('1', '2', '3'), {('1', '2'): ['set']})
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ggp.boards.board import Board, Cell, Layout, Place, Words, facts_by_relation

MAX_SIDE, MIN_SIDE = 30, 3


@dataclass(frozen=True, slots=True)
class WalkLayout(Layout):
    """Layout in which the two arguments name a place, and the relation itself is the content."""

    def _cell(self, words: Words) -> Cell | None:
        return Cell(words[self.column], words[self.row], self.relation)


@dataclass(frozen=True, slots=True)
class Walk:
    """Board with columns and rows numbered from 1, on which facts name only places.

    Attributes:
        relation: Relation of the facts `(at COLUMN ROW)`.
        num_columns: Number of columns.
        num_rows: Number of rows.
        always: Things that are always there but not in the state, such as walls, by place.
    """

    relation: str
    num_columns: int
    num_rows: int
    always: Mapping[Place, str]

    def board(self) -> Board:
        """Return this board as a `Board`."""
        return Board(
            WalkLayout(self.relation, 3, 1, 2),
            tuple(map(str, range(1, self.num_columns + 1))),
            tuple(map(str, range(1, self.num_rows + 1))),
            frozenset({self.relation, *self.always.values()}),
            None,
        )


def find_marks(states: Collection[Collection[str]]) -> tuple[Board, ...]:
    """Find a board whose facts mark numbered places, several in some column and in some row."""
    for relation, pairs in facts_by_relation(states, 3):
        mine = [list(filter(_is_place, facts)) for facts in pairs]
        if any(_is_spread(facts) for facts in mine):
            columns, rows = (
                _line({int(words[at]) for facts in mine for words in facts}) for at in (1, 2)
            )
            if columns and rows:
                layout = WalkLayout(relation, 3, 1, 2)
                return (Board(layout, columns, rows, frozenset({relation}), None),)
    return ()


def _is_place(words: Words) -> bool:
    return all(one.isdecimal() and len(one) <= 3 for one in words[1:])


def _is_spread(facts: Collection[Words]) -> bool:
    """Return whether some column and some row occur several times. If not, these may be counts."""
    counts = [Counter(words[at] for words in facts).most_common(1) for at in (1, 2)]
    return all(count and count[0][1] > 1 for count in counts)


def _line(numbers: set[int]) -> tuple[str, ...]:
    first, last = min(numbers), max(numbers)
    if not MIN_SIDE <= last - first + 1 <= MAX_SIDE:
        return ()
    return tuple(map(str, range(first, last + 1)))
