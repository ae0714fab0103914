"""Places of a game's boards, their names, and the names of the things in them."""

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
_COLOURED = re.compile(rf"(white|black|red|blue|green|yellow)({'|'.join(_MEN.values())})")
_ROW = re.compile(r"[a-z]?(\d{1,2})")
_SQUARE = re.compile(r"([a-z])(\d{1,2})")


def name_of_place(column: str, row: str) -> str:
    """Return the name of a place, as in the labels of drawn boards.

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
    """Return names for chess pieces that are written as two letters or as one word.

    >>> men(["wn", "bk", "b", "redKing"])
    {'wn': 'white knight', 'bk': 'black king', 'redking': 'red king'}
    """
    found = list(contents)
    short = [one for one in found if _MAN.fullmatch(one)]
    if len({one[0] for one in short}) < len(_COLOURS):
        short = []
    long = filter(None, (_COLOURED.fullmatch(one.lower()) for one in found))
    return {one: f"{_COLOURS[one[0]]} {_MEN[one[1]]}" for one in short} | {
        one.group(): f"{one[1]} {one[2]}" for one in long
    }


class BoardPlaces:
    """Which words in the facts of a board name a place, and which contents mean "empty".

    Attributes:
        is_square: Whether one word such as `c3` names both column and row.
        is_line: Whether places have only a column.
        column: Index of the word that names the column, or the whole place. The relation is word 0.
        row: Index of the word that names the row, or 0 if no word does.
        relations: Relations of the board's facts.
        boards: Indices of the words that name one of several boards.
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
        self.relations = [layout.relation]
        if isinstance(layout, SwitchLayout):
            self.relations = sorted(layout.relations)
        contents = board.contents
        # If there is also `bp` or `black`, `b` probably means blank rather than black.
        self._nothing = EMPTY | ({"b"} if men(contents) or "black" in contents else set())

    @property
    def is_named(self) -> bool:
        """Whether the relation's name is the content, as in `(lit 3 2)`."""
        return isinstance(self.board.layout, SwitchLayout | WalkLayout)

    def are_places(self, columns: Collection[str], rows: Collection[str]) -> bool:
        """Return whether all given names are columns and rows of this board.

        If `rows` is empty, the names in `columns` must be whole places.
        """
        if self.is_square:
            squares = [_SQUARE.fullmatch(one) for one in columns]
            return all(one and one[1] in self.board.columns for one in squares) and not rows
        return set(columns) <= set(self.board.columns) and set(rows or [""]) <= set(self.board.rows)

    def is_empty(self, content: str) -> bool:
        """Return whether a content means that the place is empty."""
        return content == self.board.blank or content.lower() in self._nothing

    def place(self, column: str, row: str) -> tuple[str, str]:
        """Return the column and row of a place. Split the name of a square such as `e4` in two."""
        square = _SQUARE.fullmatch(column) if self.is_square else None
        return (square[1], square[2]) if square else (column, row)


class Things:
    """The thing in each place in one position."""

    def __init__(self, boards: Sequence[BoardPlaces], facts: Collection[str]) -> None:
        words = [terms_of(fact) for fact in facts if fact.startswith("(")]
        self._boards: list[tuple[BoardPlaces, Cells]] = [
            (one, one.board.layout.cells(words)) for one in boards
        ]

    def at(self, column: str, row: str) -> str:
        """Return what is in a place, or "" if that is nothing or more than one thing."""
        for places, cells in self._boards:
            found = cells.get(places.place(column, row), [])
            if len(found) == 1 and not places.is_empty(found[0]):
                return found[0]
        return ""
