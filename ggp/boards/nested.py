"""Boards within a board: facts such as `(mark 3 1 2 2 x)`, which name a board and a place on it.

>>> cells = [f"(mark {i} {j} {m} {n} b)" for i in "12" for j in "12" for m in "12" for n in "12"]
>>> boards = find_nested([cells])
>>> [board.layout.board_name for board in boards]
['1 2', '2 2', '1 1', '2 1']
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from ggp.boards.board import Board, Cell, Layout, Words, facts_by_relation

NUM_WORDS = 6
MAX_SIDE = 5
Line = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class NestedLayout(Layout):
    """Layout with five arguments: column and row of the board, column and row on it, content."""

    def _cell(self, words: Words) -> Cell | None:
        if " ".join(words[1:3]) != self.board_name:
            return None
        return Cell(words[3], words[4], words[5])


def find_nested(states: Collection[Collection[str]]) -> tuple[Board, ...]:
    """Find nested boards. Return the upper left one first, or () if there are no nested boards."""
    for relation, facts in facts_by_relation(states, NUM_WORDS):
        mine = set[Words]().union(*facts)
        lines = [_line({words[at] for words in mine}) for at in range(1, 5)]
        if all(lines):
            return _boards(relation, lines, frozenset(words[5] for words in mine))
    return ()


def _boards(relation: str, lines: list[Line], contents: frozenset[str]) -> tuple[Board, ...]:
    across, along, columns, rows = lines
    names = [f"{column} {row}" for row in reversed(along) for column in across]
    layouts = [NestedLayout(relation, NUM_WORDS, 3, 4, 1, name) for name in names]
    return tuple(Board(layout, columns, rows, contents, None) for layout in layouts)


def _line(names: set[str]) -> Line:
    """Sort names that are numbers or letters. Return () if others occur, or too few or many."""
    is_line = all(name.isdecimal() or (len(name) == 1 and name.isalpha()) for name in names)
    if not is_line or not 2 <= len(names) <= MAX_SIDE:
        return ()
    return tuple(sorted(names, key=lambda name: (len(name), name)))
