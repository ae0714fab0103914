"""Places of a game's boards, their names, and the names of what stands there."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from ggp.boards.board import EMPTY, Board, Cells
from ggp.boards.nested import NestedLayout
from ggp.boards.switches import SwitchLayout
from ggp.boards.walk import WalkLayout
from ggp.naming.words import said
from ggp.term_text import terms_of

_MEN = {"k": "king", "q": "queen", "r": "rook", "b": "bishop", "n": "knight", "p": "pawn"}
_COLOURS = {"w": "white", "b": "black"}
_MAN = re.compile(r"[wb][kqrbnp]")
_ROW = re.compile(r"[a-z]*(\d{1,2})")
_SQUARE = re.compile(r"([a-z])(\d{1,2})")


def name_of_place(column: str, row: str) -> str:
    """The name of a place, in the words that stand beside drawn boards.

    >>> name_of_place("b", "1"), name_of_place("2", "1"), name_of_place("c3", "")
    ('b1', 'column 2, row 1', 'c3')
    """
    if not row:
        return said(column)
    number = _ROW.fullmatch(row)
    if len(column) == 1 and column.isalpha() and number:
        return column + number[1]
    return f"column {said(column)}, row {said(row)}"


def men(contents: Iterable[str]) -> Mapping[str, str]:
    """Names of chess men written as two letters; none where only one colour has such.

    >>> men(["wn", "bk", "b"])
    {'wn': 'white knight', 'bk': 'black king'}
    """
    found = [one for one in contents if _MAN.fullmatch(one)]
    if len({one[0] for one in found}) < 2:
        return {}
    return {one: f"{_COLOURS[one[0]]} {_MEN[one[1]]}" for one in found}


class BoardPlaces:
    """One board: which words of its facts are a place, and what is on it.

    Attributes:
        is_square: Whether one word such as `c3` is column and row.
        is_line: Whether places have a column only.
        column: The word that is the column, or the whole place.
        row: The word that is the row; 0 if there is none.
        boards: Words that name one of several boards.
    """

    def __init__(self, board: Board) -> None:
        layout = board.layout
        self.board = board
        self.is_line = board.rows == ("",)
        self.is_square = layout.column == layout.row and not self.is_line
        self.column = layout.column
        self.row = 0 if layout.column == layout.row else layout.row
        self.boards: tuple[int, ...] = (layout.board,) if layout.board else ()
        if isinstance(layout, NestedLayout):
            self.boards = (1, 2)
        self._relations = {layout.relation}
        if isinstance(layout, SwitchLayout):
            self._relations = set(layout.relations)

    @property
    def is_named(self) -> bool:
        """Whether what is there is the name of a relation, as in `(lit 3 2)`."""
        return isinstance(self.board.layout, SwitchLayout | WalkLayout)

    @property
    def form(self) -> tuple[object, ...]:
        """The same for boards whose facts have the same form."""
        return (sorted(self._relations), self.board.layout.form)

    def has_form(self, words: Sequence[str]) -> bool:
        """Whether a fact with variables may be one of the board's cells."""
        return len(words) == self.board.layout.num_words and words[0] in self._relations

    def are_places(self, columns: Collection[str], rows: Collection[str]) -> bool:
        """Whether all of these are names of columns and rows; no rows: of whole places."""
        if self.is_square:
            squares = [_SQUARE.fullmatch(one) for one in columns]
            return all(one and one[1] in self.board.columns for one in squares) and not rows
        return set(columns) <= set(self.board.columns) and set(rows or [""]) <= set(self.board.rows)

    def place(self, column: str, row: str) -> tuple[str, str]:
        """The place as the board's cells have it."""
        square = _SQUARE.fullmatch(column) if self.is_square else None
        return (square[1], square[2]) if square else (column, row)


class Things:
    """Contents of places in one position."""

    def __init__(self, boards: Sequence[BoardPlaces], facts: Collection[str]) -> None:
        words = [terms_of(fact) for fact in facts if fact.startswith("(")]
        self._boards: list[tuple[BoardPlaces, Cells]] = [
            (one, one.board.layout.cells(words)) for one in boards
        ]

    def at(self, column: str, row: str) -> str:
        """The one thing in a place, as the facts have it; empty if nothing is there."""
        for places, cells in self._boards:
            found = cells.get(places.place(column, row), [])
            if len(found) == 1 and not is_empty(found[0], places.board):
                return found[0]
        return ""


def is_empty(content: str, board: Board) -> bool:
    """Whether a content says that nothing is there."""
    return content == board.blank or content.lower() in EMPTY
