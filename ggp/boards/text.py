r"""Draw boards as text, with coordinates at the left and below.

>>> from ggp.boards.board import find_boards
>>> state = ["(at 1 1 black)", "(at 2 1 none)", "(at 1 2 none)", "(at 2 2 none)"]
>>> text = BoardText(find_boards([state])[0])
>>> print("\n".join(plain_text(line) for line in text.lines(state, {("1", "1")})))
2 · ·
1[b]·
  1 2

A line consists of pieces of text, so that a view can colour each content.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product

from ggp.boards.board import Board, Place
from ggp.boards.overlays import Edges

BLANK = "·"
CROWD = "*"
DOT = "•"
UNSURE = "?"
SURE_SHARE = 1 - 1e-9
"""Minimum probability of a fact that counts as certain, because sums of weights are not exact."""
FEW_SHARE = 0.005
PERCENT_WIDTH = 3
_WORD = re.compile(r"[^\s()]*?[^\s()\d](?=\d+(?:[\s()]|$))|[^\s()]+")
"""Matches a part of a content: a word, or its final number, or what comes before that number."""


@dataclass(frozen=True, slots=True)
class TextPiece:
    """Piece of a line, with what a view needs to colour it.

    Attributes:
        content: Content of the cell. Empty for an empty cell and for text outside cells.
        is_marked: Whether to emphasize the piece, for example the place of the last move or its
            bracket.
        is_faint: Whether the content is uncertain.
    """

    text: str
    content: str = ""
    is_marked: bool = False
    is_faint: bool = False


Line = tuple[TextPiece, ...]
Spot = tuple[int, int]


def plain_text(line: Line) -> str:
    """Return a line as plain text."""
    return "".join(piece.text for piece in line).rstrip()


class BoardText:
    """Board drawn as text, always with the same width."""

    def __init__(self, board: Board) -> None:
        self.board = board
        self._symbols = _abbreviations(board.contents)
        if board.blank is not None:
            self._symbols[board.blank] = BLANK
        self._width = max(map(len, [*self._symbols.values(), *board.columns]), default=1)
        self._margin = max(map(len, board.rows))

    @property
    def symbols(self) -> Mapping[str, str]:
        """The text to draw for each content of a cell."""
        return dict(self._symbols)

    @property
    def width(self) -> int:
        """Number of characters of a line."""
        return self._margin + len(self.board.columns) * (self._width + 1) + 1

    def lines(
        self,
        facts: Iterable[str],
        marked: Collection[Place] = (),
        unsure: Collection[Place] = (),
    ) -> list[Line]:
        """Draw the board in a state.

        Args:
            marked: Places to put in brackets.
            unsure: Places whose content is uncertain.
        """
        draw = self._drawing(facts, marked, unsure)
        found = []
        for row in reversed(self.board.rows):
            drawn = [draw((column, row)) for column in self.board.columns]
            found.append((TextPiece(row.rjust(self._margin)), *_joined(drawn)))
        return [*found, self._names(self._width)]

    def likelihoods(self, content: str, shares: Mapping[Place, float]) -> list[Line]:
        """Draw how probable a content is in each place, in percent.

        Args:
            content: The content.
            shares: Its probability in each place.
        """
        found: list[Line] = [(TextPiece(f"{content} in %", content),)]
        for row in reversed(self.board.rows):
            cells = [TextPiece(row.rjust(self._margin))]
            for column in self.board.columns:
                share = shares.get((column, row), 0.0)
                text = percentage(share) if share > 0 else BLANK
                is_faint = share < SURE_SHARE
                cells.append(TextPiece(f" {text:>{PERCENT_WIDTH}}", content, is_faint=is_faint))
            found.append(tuple(cells))
        return [*found, self._names(PERCENT_WIDTH)]

    def _drawing(
        self, facts: Iterable[str], marked: Collection[Place], unsure: Collection[Place]
    ) -> Callable[[Place], TextPiece]:
        """Return a function that draws one place of the board in the given state."""
        cells = self.board.cells(facts)
        counts = Counter(content for contents in cells.values() for content in contents)

        def draw(place: Place) -> TextPiece:
            if place in unsure:
                return TextPiece(UNSURE.rjust(self._width), is_faint=True)
            return self._cell(_topmost(cells.get(place, []), counts), place in marked)

        return draw

    def _names(self, width: int) -> Line:
        names = "".join(f" {column.rjust(width)}" for column in self.board.columns)
        return (TextPiece(" " * self._margin + names),)

    def _cell(self, contents: Sequence[str], is_marked: bool) -> TextPiece:
        if len(contents) > 1:
            return TextPiece(CROWD.rjust(self._width), CROWD, is_marked)
        content = contents[0] if contents else ""
        symbol = self._symbols.get(content, "?") if content else BLANK
        is_empty = symbol == BLANK
        return TextPiece(symbol.rjust(self._width), "" if is_empty else content, is_marked)


class LineText(BoardText):
    """Board drawn as text, with lines around its places or walls between them.

    If the lines join corners of places, the corners are dots. Then the names at the left and below
    are those of dots, otherwise those of places.

    >>> from ggp.boards.board import find_boards
    >>> from ggp.boards.overlays import find_edges
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
        """Return the places with a line below them, and those with a line to their left."""
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


def percentage(share: float) -> str:
    """Return a probability in percent without the sign: "<1", "1" to "99", or "100" if certain."""
    if share >= SURE_SHARE:
        return "100"
    return "<1" if share < FEW_SHARE else f"{min(99, 100 * share):.0f}"


def _topmost(contents: Sequence[str], counts: Mapping[str, int]) -> Sequence[str]:
    """Return the contents to draw in a place: the only one that occurs just once, or else all."""
    single = [content for content in contents if counts[content] == 1]
    return single if len(single) == 1 else contents


def _joined(cells: Sequence[TextPiece]) -> list[TextPiece]:
    """Join the cells of a row with spaces, and put marked cells in brackets.

    Brackets replace spaces, so that rows keep their width. Neighbours may share a bracket.
    """
    found: list[TextPiece] = []
    before = False
    for cell in cells:
        symbol = cell.text.lstrip()
        blanks = " " * (1 + len(cell.text) - len(symbol))
        between = "]" + blanks[1:] if before else blanks
        between = between[:-1] + "[" if cell.is_marked else between
        found += [TextPiece(between, is_marked=between != blanks), replace(cell, text=symbol)]
        before = cell.is_marked
    return [*found, TextPiece("]", is_marked=True)] if before else found


def _abbreviations(contents: Iterable[str]) -> dict[str, str]:
    """Abbreviate each word of a content to its shortest prefix that is unique, as in `bki`, `wq`.

    Numbers are kept, also at the end of words: `t1` and `t2` for `tank1` and `tank2`.
    """
    words = {content: _WORD.findall(content) for content in contents}
    found = {}
    for content, own in words.items():
        others = [
            {other[at] for other in words.values() if len(other) > at} - {word}
            for at, word in enumerate(own)
        ]
        found[content] = "".join(map(_abbreviated, own, others))
    return found if len(set(found.values())) == len(found) else {one: one for one in found}


def _abbreviated(name: str, others: set[str]) -> str:
    for length in range(1, 1 if name.isdecimal() else len(name)):
        if not any(other.startswith(name[:length]) for other in others):
            return name[:length]
    return name
