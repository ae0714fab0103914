"""Finding a board in a state: facts such as `(cell 1 2 x)`, known by their shape, not their name.

>>> board = find_board(["(at 1 1 x)", "(at 2 1 b)", "(at 1 2 b)", "(at 2 2 b)", "(turn me)"])
>>> print("\\n".join(board.draw(["(at 1 1 x)", "(at 2 1 o)", "(at 1 2 b)", "(at 2 2 b)"])))
2 · ·
1 x o
  1 2
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from ggp.match.term_text import terms_of

BLANK = "·"
MIN_CELLS = 4
MAX_SIDE = 30
MAX_PIECE_WIDTH = 4

Cells = dict[tuple[str, str], str]


@dataclass(frozen=True, slots=True)
class Board:
    """Where the cells of a game are written.

    The first argument of a cell runs to the right, the second upwards, as on a chess board.
    """

    relation: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    blank: str | None
    """The content that stands for an empty cell; None if no content does."""

    def holds(self, fact: str) -> bool:
        """Whether a fact is shown on the board."""
        cell = _as_cell(fact)
        return cell is not None and cell[0] == self.relation and _is_within(self, cell[1])

    def draw(self, facts: Iterable[str]) -> list[str]:
        """The lines of the board, coordinates at the left and below."""
        cells = _cells(facts).get(self.relation, {})
        shown = {place: self._piece(piece) for place, piece in cells.items()}
        width = max(map(len, [*shown.values(), *self.columns]), default=1)
        margin = max(map(len, self.rows))
        lines = []
        for row in reversed(self.rows):
            drawn = (shown.get((column, row), BLANK).rjust(width) for column in self.columns)
            lines.append(" ".join([row.rjust(margin), *drawn]))
        names = (column.rjust(width) for column in self.columns)
        return [*lines, " ".join([" " * margin, *names])]

    def _piece(self, piece: str) -> str:
        return BLANK if piece == self.blank else piece[:MAX_PIECE_WIDTH]


def find_board(facts: Iterable[str]) -> Board | None:
    """The board of a game whose initial state has these facts, or None.

    A relation of three places is a board if no two facts share the first two, these name a line of
    numbers or letters each, and there are cells enough. Of several the fullest is taken.
    """
    candidates = [
        (len(cells), relation, cells)
        for relation, cells in _cells(facts).items()
        if len(cells) >= MIN_CELLS
    ]
    for _, relation, cells in sorted(candidates, key=lambda found: (-found[0], found[1])):
        columns = _line({column for column, _ in cells})
        rows = _line({row for _, row in cells})
        if columns and rows:
            return Board(relation, columns, rows, _blank(cells, len(columns) * len(rows)))
    return None


def _cells(facts: Iterable[str]) -> dict[str, Cells]:
    """The cells of each relation that puts at most one thing in each place."""
    found: defaultdict[str, Cells] = defaultdict(dict)
    crowded = set()
    for fact in facts:
        cell = _as_cell(fact)
        if cell is None:
            continue
        relation, place, piece = cell
        if place in found[relation]:
            crowded.add(relation)
        found[relation][place] = piece
    return {relation: cells for relation, cells in found.items() if relation not in crowded}


def _as_cell(fact: str) -> tuple[str, tuple[str, str], str] | None:
    if not fact.startswith("("):
        return None
    parts = terms_of(fact)
    if len(parts) != 4:
        return None
    relation, column, row, piece = parts
    return relation, (column, row), piece.strip("()").replace(" ", "")


def _is_within(board: Board, place: tuple[str, str]) -> bool:
    return place[0] in board.columns and place[1] in board.rows


def _line(names: set[str]) -> tuple[str, ...]:
    """The names from the first to the last in order, gaps filled; empty if they make no line."""
    if all(name.isdecimal() and len(name) <= 3 for name in names):
        numbers = sorted(map(int, names))
        line = tuple(map(str, range(numbers[0], numbers[-1] + 1)))
    elif all(len(name) == 1 and "a" <= name <= "z" for name in names):
        letters = sorted(map(ord, names))
        line = tuple(map(chr, range(letters[0], letters[-1] + 1)))
    else:
        line = ()
    # A single row or column, or one mostly made of gaps, is a list of things rather than a board.
    return line if 1 < len(line) <= MAX_SIDE and len(line) <= 4 * len(names) else ()


def _blank(cells: Cells, num_places: int) -> str | None:
    """The commonest content of a board that has no empty places, if it is common enough."""
    if len(cells) < num_places:
        return None
    piece, count = Counter(cells.values()).most_common(1)[0]
    return piece if count * 3 > num_places else None
