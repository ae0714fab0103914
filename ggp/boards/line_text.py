"""Draw a board with lines around its places, or walls between them, as text.

>>> from ggp.boards.board import find_boards
>>> from ggp.boards.overlays import find_edges
>>> from ggp.boards.text import plain_text
>>> state = ["(box 1 1 ann)", "(box 2 1 none)", "(box 1 2 none)", "(box 2 2 none)"]
>>> state += ["(line 1 1 2 1)", "(line 1 1 1 2)", "(line 2 3 3 3)"]
>>> [board] = find_boards([state])
>>> text = LineText(board, find_edges(board, [state]))
>>> for line in text.lines(state):
...     print(plain_text(line))
3 •   •---•
<BLANKLINE>
2 •   •   •
  | a
1 •---•   •
  1   2   3
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import product

from ggp.boards.board import Board, Place
from ggp.boards.overlays import Edges
from ggp.boards.text import BLANK, BoardText, Line, TextPiece

DOT = "•"
Spot = tuple[int, int]


class LineText(BoardText):
    """Draws one board with its lines. If the lines join corners of places, the corners are dots.

    If there are dots, the names at the left and below are those of the dots, else those of places.
    """

    def __init__(self, board: Board, edges: Sequence[Edges]) -> None:
        super().__init__(board)
        self._edges = edges
        around = [one for one in edges if not one.is_between]
        self._has_dots = bool(around)
        self._columns = around[0].columns if around else board.columns
        self._rows = around[0].rows if around else board.rows
        self._margin = max(map(len, self._rows))
        self._room = max(self._width + 2, *(len(name) for name in self._columns))

    @property
    def width(self) -> int:
        """Number of characters of a line."""
        return self._margin + 2 + len(self.board.columns) * (self._room + 1)

    def lines(
        self,
        facts: Iterable[str],
        marked: Collection[Place] = (),
        unsure: Collection[Place] = (),
    ) -> list[Line]:
        """Draw the board in a state; see `BoardText`."""
        facts = list(facts)
        draw = self._drawing(facts, marked, unsure)
        level, upright = self._drawn(facts)
        found: list[Line] = []
        for y in range(len(self.board.rows), -1, -1):
            found.append(tuple(self._level_line(y, level)))
            if y:
                row = self.board.rows[y - 1]
                cells = [draw((column, row)) for column in self.board.columns]
                found.append(tuple(self._cell_line(y - 1, cells, upright)))
        if not self._has_dots:
            found = found[1:-1]  # no walls are outside the places
        return [*found, self._column_names()]

    def _drawn(self, facts: Iterable[str]) -> tuple[set[Spot], set[Spot]]:
        """Return where to draw horizontal lines below rows and vertical lines left of columns."""
        level, upright = set[Spot](), set[Spot]()
        for fact, edges in product(facts, self._edges):
            if ends := edges.ends(fact):
                (x, y), (other_x, _) = ends
                if edges.is_between:  # a wall is perpendicular to the step between the places
                    upright |= {(x + 1, y)} if x != other_x else set()
                    level |= {(x, y + 1)} if x == other_x else set()
                else:
                    (level if x != other_x else upright).add((x, y))
        return level, upright

    def _level_line(self, y: int, level: Collection[Spot]) -> Iterator[TextPiece]:
        name = self._rows[y] if self._has_dots else ""
        yield TextPiece(f"{name:>{self._margin}} {DOT if self._has_dots else ''}")
        for x in range(len(self.board.columns)):
            line = ("-" if (x, y) in level else " ") * self._room
            yield TextPiece(line + (DOT if self._has_dots else " "))

    def _cell_line(
        self, y: int, cells: Sequence[TextPiece], upright: Collection[Spot]
    ) -> Iterator[TextPiece]:
        first = "|" if (0, y) in upright else " "
        name = (
            f"{'':{self._margin}} {first}"
            if self._has_dots
            else f"{self._rows[y]:>{self._margin}} "
        )
        yield TextPiece(name)
        for x, cell in enumerate(cells):
            symbol = cell.text.strip()
            if symbol == BLANK and self._has_dots:
                symbol = " "
            text = f"[{symbol}]" if cell.is_marked else symbol
            yield TextPiece(text.center(self._room), cell.content, cell.is_marked, cell.is_faint)
            yield TextPiece("|" if (x + 1, y) in upright else " ")

    def _column_names(self) -> Line:
        fit = str.ljust if self._has_dots else str.center
        names = " ".join(fit(name, self._room) for name in self._columns)
        return (TextPiece(f"{'':{self._margin + 1}}{names}"),)
