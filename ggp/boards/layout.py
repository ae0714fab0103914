"""Layouts of facts about cells: which arguments name the place, and which the content.

>>> [cross] = [layout for layout in layouts_of([("cell", "1", "2", "x")]) if layout.column == 1]
>>> cross.cell(("cell", "1", "2", "x"))
Cell(column='1', row='2', content='x')
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

MAX_ARGUMENTS = 4
MIN_FACTS = 4
EMPTY = frozenset({"blank", "empty", "none", "nil", "clear", "free", "available"})
"""Names of nothing, in lower case: the usual contents of a place on which nothing stands."""

_SQUARE = re.compile(r"([a-z])(\d{1,2})")
_COORDINATE = re.compile(r"\d{1,3}|[a-z]|[a-z]+\d{1,2}")

Words = tuple[str, ...]
"""A fact's relation and its arguments."""


@dataclass(frozen=True, slots=True)
class Cell:
    """A place and its content, as a fact has them."""

    column: str
    row: str
    content: str


@dataclass(frozen=True, slots=True)
class Layout:
    """The meaning of the words in a relation's facts; they are numbered, the relation being word 0.

    Attributes:
        relation: Its name.
        num_words: How many words its facts have.
        column: The word that names the column.
        row: The word that names the row; if the same as `column`, it is a square such as `h2`.
        board: The word that names one of several boards; 0 if there is none such.
        board_name: What that word is on this board.
    """

    relation: str
    num_words: int
    column: int
    row: int
    board: int = 0
    board_name: str = ""

    @property
    def name(self) -> str:
        """The board's name, different for each board of a game."""
        return f"{self.relation} {self.board_name}".strip()

    @property
    def form(self) -> tuple[int, ...]:
        """The part that layouts have in common that differ only in their names."""
        return (self.num_words, self.column, self.row, self.board)

    def cell(self, words: Words) -> Cell | None:
        """The cell that a fact names, or None if it is no fact of this layout."""
        if len(words) != self.num_words or words[0] != self.relation:
            return None
        if self.board and words[self.board] != self.board_name:
            return None
        place = {self.column, self.row}
        rest = [
            word
            for index, word in enumerate(words)
            if index and index != self.board and index not in place
        ]
        content = " ".join(rest)
        if self.column != self.row:
            return Cell(words[self.column], words[self.row], content)
        square = _SQUARE.fullmatch(words[self.column])
        return Cell(square[1], square[2], content) if square else None


def layouts_of(facts: Iterable[Words]) -> Iterator[Layout]:
    """The layouts worth a try for these facts: each relation's in the order of their likelihood."""
    facts = [words for words in facts if 3 <= len(words) <= MAX_ARGUMENTS + 1]
    for relation, num_words in sorted({(words[0], len(words)) for words in facts}):
        mine = {words for words in facts if (words[0], len(words)) == (relation, num_words)}
        yield from _layouts(relation, num_words, mine)


def _layouts(relation: str, num_words: int, facts: set[Words]) -> Iterator[Layout]:
    if num_words == 3:
        squares = [at for at in (1, 2) if all(_SQUARE.fullmatch(words[at]) for words in facts)]
        if len(squares) == 1:  # two would rather be a way from one place to the other
            yield Layout(relation, num_words, squares[0], squares[0])
        return
    for column in range(1, num_words - 1):
        row = column + 1
        if not all(_COORDINATE.fullmatch(words[at]) for words in facts for at in (column, row)):
            continue
        others = [at for at in range(1, num_words) if at not in {column, row}]
        if num_words == 4 or not _is_all_numbers(facts, others):
            yield Layout(relation, num_words, column, row)
        if num_words > 4:
            yield from _of_several(Layout(relation, num_words, column, row), others, facts)


def _of_several(layout: Layout, others: list[int], facts: set[Words]) -> Iterator[Layout]:
    """Layouts of several boards, which one of the other words names."""
    for at in others:
        if _is_all_numbers(facts, [other for other in others if other != at]):
            continue
        names = Counter(words[at] for words in facts)
        if len(names) > 1 and min(names.values()) >= MIN_FACTS:
            for name in sorted(names):
                yield Layout(layout.relation, layout.num_words, layout.column, layout.row, at, name)


def _is_all_numbers(facts: set[Words], at: list[int]) -> bool:
    """Whether these words are numbers only: then they are rather places than things."""
    return all(words[index].isdecimal() for words in facts for index in at)
