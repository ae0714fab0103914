"""Lines beside the places of a board: walls between two of them, or lines around them.

>>> from ggp.boards.board import find_boards
>>> cells = [f"(cell {x} {y} b)" for x in "123" for y in "123"]
>>> [wall] = find_edges(find_boards([cells])[0], [[*cells, "(wall 1 1 1 2)", "(wall 2 1 3 1)"]])
>>> wall.is_between
True
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ggp.boards.board import Board
from ggp.boards.layout import Words
from ggp.term_text import terms_of

NUM_WORDS = 5
MAX_RELATIONS = 3

Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Edges:
    """Facts `(RELATION COLUMN ROW COLUMN ROW)` of neighbours.

    Attributes:
        relation: Their name.
        columns: Names from left to right.
        rows: Names upwards.
        is_between: Whether they name two places with a wall between them; else two corners of
            places, of which there is one more in each line.
    """

    relation: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    is_between: bool

    def ends(self, fact: str) -> tuple[Point, Point] | None:
        """The two neighbours that a fact names, by column and row, the first one 0."""
        words = terms_of(fact) if fact.startswith("(") else ()
        if len(words) != NUM_WORDS or words[0] != self.relation:
            return None
        if not {words[1], words[3]} <= set(self.columns) or not {words[2], words[4]} <= set(
            self.rows
        ):
            return None
        first, last = sorted(
            (self.columns.index(words[at]), self.rows.index(words[at + 1])) for at in (1, 3)
        )
        distance = last[0] - first[0] + abs(last[1] - first[1])
        return (first, last) if distance == 1 else None


def find_edges(board: Board, states: Sequence[Collection[str]]) -> tuple[Edges, ...]:
    """The relations whose facts all name neighbours on a board, or corners of its places.

    Args:
        board: With columns and rows.
        states: Facts of positions, the initial one first.
    """
    facts = {fact for known in states for fact in known if fact.startswith("(")}
    split = {fact: words for fact in facts if len(words := terms_of(fact)) == NUM_WORDS}
    found = []
    for relation in sorted({words[0] for words in split.values()}):
        mine = {fact: words for fact, words in split.items() if words[0] == relation}
        for columns, rows, is_between in (
            (board.columns, board.rows, True),
            (
                _corners(board.columns, mine.values(), 1),
                _corners(board.rows, mine.values(), 2),
                False,
            ),
        ):
            edges = Edges(relation, columns, rows, is_between)
            if len(board.rows) > 1 and all(edges.ends(fact) for fact in mine):
                found.append(edges)
                break
    return tuple(found[:MAX_RELATIONS])


def _corners(line: Sequence[str], facts: Collection[Words], at: int) -> tuple[str, ...]:
    """The names of corners: those of places, and one more at either end."""
    names = {words[at + step] for words in facts for step in (0, 2)}
    if not all(name.isdecimal() and len(name) < 4 for name in (*names, *line)):
        return ()
    first, last = min(map(int, names)), max(map(int, names))
    return tuple(map(str, range(first, last + 1))) if last - first == len(line) else ()
