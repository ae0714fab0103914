r"""Finding a board in states: facts such as `(cell 1 2 x)`, known by their shape, not their name.

>>> state = ["(at 1 1 black)", "(at 2 1 none)", "(at 1 2 none)", "(at 2 2 none)", "(turn me)"]
>>> print("\n".join(find_board([state]).draw(state)))
2 · ·
1 b ·
  1 2
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass

from ggp.match.term_text import terms_of

BLANK = "·"
CROWD = "*"
MAX_CROWDED = 0.05  # of the places in use, as when two light cycles of Tron meet
MIN_CELLS = 4
MAX_SIDE = 30
MAX_GAPS = 4  # a line may have this many times as many places as are known to be used

Place = tuple[str, str]
Cells = dict[Place, list[str]]
"""What is in each place, nearly always one thing."""


@dataclass(frozen=True, slots=True)
class Board:
    """Where the cells of a game are written.

    The first argument of a cell runs to the right, the second upwards, as on a chess board.
    """

    relation: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    symbols: Mapping[str, str]
    """How each content of a cell is written; those of an empty cell as `BLANK`."""

    def holds(self, fact: str) -> bool:
        """Whether a fact can be shown on the board."""
        cell = _as_cell(fact)
        if cell is None or cell[0] != self.relation:
            return False
        column, row = cell[1]
        return column in self.columns and row in self.rows and cell[2] in self.symbols

    def crowded(self, facts: Iterable[str]) -> list[str]:
        """The facts of places with several things in them, drawn as `CROWD`."""
        facts = list(facts)
        places = _crowded(_cells(facts).get(self.relation, {}))
        cells = [(fact, _as_cell(fact)) for fact in facts]
        return [
            fact for fact, cell in cells if cell and cell[0] == self.relation and cell[1] in places
        ]

    def draw(self, facts: Iterable[str]) -> list[str]:
        """The lines of the board, coordinates at the left and below."""
        cells = _cells(facts).get(self.relation, {})
        shown = {place: self._symbol(pieces) for place, pieces in cells.items()}
        width = max(map(len, [*self.symbols.values(), *self.columns]), default=1)
        margin = max(map(len, self.rows))
        lines = []
        for row in reversed(self.rows):
            drawn = (shown.get((column, row), BLANK).rjust(width) for column in self.columns)
            lines.append(" ".join([row.rjust(margin), *drawn]))
        names = (column.rjust(width) for column in self.columns)
        return [*lines, " ".join([" " * margin, *names])]

    def _symbol(self, pieces: list[str]) -> str:
        return self.symbols.get(pieces[0], "?") if len(pieces) == 1 else CROWD


def find_board(states: Collection[Collection[str]]) -> Board | None:
    """The board of a game in which these states occur, or None.

    A relation of three places is a board if hardly ever two of its facts in a state share the first
    two, these name a line of numbers or letters each, and there are cells enough. Of several the
    fullest is taken. States are lists of facts, the initial one first.
    """
    in_states = [_cells(facts) for facts in states]
    relations = set().union(*in_states)
    found = []
    for relation in sorted(relations):
        boards = [cells.get(relation, {}) for cells in in_states]
        num_crowded = sum(len(_crowded(cells)) for cells in boards)
        is_crowded = num_crowded > MAX_CROWDED * sum(map(len, boards))
        board = None if is_crowded else _board(relation, boards)
        if board is not None:
            found.append((sum(map(len, boards)), board))
    return max(found, key=lambda one: one[0])[1] if found else None


def _board(relation: str, boards: list[Cells]) -> Board | None:
    places = set[Place]().union(*boards)
    columns = _line({column for column, _ in places})
    rows = _line({row for _, row in places})
    if len(places) < MIN_CELLS or not columns or not rows:
        return None
    blank = _blank(boards[0], len(columns) * len(rows))
    pieces = {piece for cells in boards for found in cells.values() for piece in found} - {blank}
    symbols = _abbreviations(pieces)
    return Board(relation, columns, rows, symbols | ({blank: BLANK} if blank else {}))


def _cells(facts: Iterable[str]) -> dict[str, Cells]:
    """The cells of each relation of three places."""
    found: defaultdict[str, Cells] = defaultdict(dict)
    for relation, place, piece in filter(None, map(_as_cell, facts)):
        found[relation].setdefault(place, []).append(piece)
    return dict(found)


def _crowded(cells: Cells) -> set[Place]:
    return {place for place, pieces in cells.items() if len(pieces) > 1}


def _as_cell(fact: str) -> tuple[str, Place, str] | None:
    if not fact.startswith("("):
        return None
    parts = terms_of(fact)
    if len(parts) != 4:
        return None
    relation, column, row, piece = parts
    return relation, (column, row), piece


def _line(names: set[str]) -> tuple[str, ...]:
    """The names from the first to the last in order, gaps filled; empty if they make no line."""
    if all(name.isdecimal() and len(name) <= 3 for name in names):
        numbers = [int(name) for name in names]
        line = tuple(map(str, range(min(numbers), max(numbers) + 1)))
    elif all(len(name) == 1 and "a" <= name <= "z" for name in names):
        letters = [ord(name) for name in names]
        line = tuple(map(chr, range(min(letters), max(letters) + 1)))
    else:
        return ()
    # A single row or column, or one mostly made of gaps, is a list of things rather than a board.
    return line if 1 < len(line) <= min(MAX_SIDE, MAX_GAPS * len(names)) else ()


def _blank(cells: Cells, num_places: int) -> str | None:
    """The commonest content of a board that has no empty places, if it is common enough."""
    if len(cells) < num_places:
        return None
    pieces = itertools.chain.from_iterable(cells.values())
    piece, count = Counter(pieces).most_common(1)[0]
    return piece if count * 3 > num_places else None


def _abbreviations(pieces: set[str]) -> dict[str, str]:
    """The shortest beginning of each name that no other name shares."""
    plain = {piece: piece.strip("()").replace(" ", "") for piece in pieces}
    return {
        piece: _abbreviated(name, set(plain.values()) - {name}) for piece, name in plain.items()
    }


def _abbreviated(name: str, others: set[str]) -> str:
    for length in range(1, len(name)):
        if not any(other.startswith(name[:length]) for other in others):
            return name[:length]
    return name
