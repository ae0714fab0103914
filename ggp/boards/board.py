"""Find boards in states: facts such as `(cell 1 2 x)`, recognised by their form, not their name.

>>> state = ["(at 1 1 black)", "(at 2 1 none)", "(at 1 2 none)", "(at 2 2 none)", "(turn me)"]
>>> [board] = find_boards([state])
>>> board.columns, board.rows, board.blank
(('1', '2'), ('1', '2'), 'none')
>>> board.cells(state)[("1", "1")]
['black']

`ggp.boards.text` draws them.
"""

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ggp.term_text import terms_of, words_of

MAX_ARGUMENTS = 4
MIN_FACTS = 4
EMPTY = frozenset({"blank", "empty", "none", "nil", "clear", "free", "available"})
"""Usual contents of an empty place, in lower case."""
_NOTHING = EMPTY | {"-", ".", "_"}

_SQUARE = re.compile(r"([a-z])(\d{1,2})")
_COORDINATE = re.compile(r"\d{1,3}|[a-z]|[a-z]+\d{1,2}")

Words = tuple[str, ...]
"""The words of a fact: its relation and its arguments."""


@dataclass(frozen=True, slots=True)
class Cell:
    """Place on a board and its content, as named in a fact."""

    column: str
    row: str
    content: str


@dataclass(frozen=True, slots=True)
class Layout:
    """Which words in a relation's facts name the column, the row and the board.

    The words are numbered. The relation is word 0.

    Attributes:
        num_words: Number of words in a fact.
        column: Index of the word that names the column.
        row: Index of the word that names the row. If it equals `column`, the word is a square such
            as `h2`.
        board: Index of the word that names one of several boards, or 0 if there is only one.
        board_name: That word in the facts of this board, or "" if there is only one.
    """

    relation: str
    num_words: int
    column: int
    row: int
    board: int = 0
    board_name: str = ""

    @property
    def name(self) -> str:
        """Name of the board, which is unique in a game."""
        return f"{self.relation} {self.board_name}".strip()

    @property
    def form(self) -> tuple[int, ...]:
        """The layout without its names, for comparison with other layouts."""
        return (self.num_words, self.column, self.row, self.board)

    def cell(self, words: Words) -> Cell | None:
        """Return the cell that a fact names, or None if the fact does not have this layout."""
        is_mine = len(words) == self.num_words and words[0] == self.relation
        return self._cell(words) if is_mine else None

    def cells(self, facts: Iterable[Words]) -> Cells:
        """Return the contents of each place that the facts name."""
        found: Cells = {}
        for cell in filter(None, map(self.cell, facts)):
            found.setdefault((cell.column, cell.row), []).append(cell.content)
        return found

    def _cell(self, words: Words) -> Cell | None:
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
    """Yield layouts that these facts may have. For each relation, the most likely comes first."""
    facts = [words for words in facts if 3 <= len(words) <= MAX_ARGUMENTS + 1]
    for relation, num_words in sorted({(words[0], len(words)) for words in facts}):
        mine = {words for words in facts if (words[0], len(words)) == (relation, num_words)}
        yield from _layouts(relation, num_words, mine)


def _layouts(relation: str, num_words: int, facts: set[Words]) -> Iterator[Layout]:
    if num_words == 3:
        squares = [at for at in (1, 2) if all(_SQUARE.fullmatch(words[at]) for words in facts)]
        if len(squares) == 1:  # two squares are probably a step from one place to the other
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
    """Yield a layout for each board, if one of the words `others` may be the name of a board."""
    for at in others:
        if _is_all_numbers(facts, [other for other in others if other != at]):
            continue
        names = Counter(words[at] for words in facts)
        if len(names) > 1 and min(names.values()) >= MIN_FACTS:
            for name in sorted(names):
                yield Layout(layout.relation, layout.num_words, layout.column, layout.row, at, name)


def _is_all_numbers(facts: set[Words], at: list[int]) -> bool:
    """Return whether the words `at` are always numbers, and so probably places, not contents."""
    return all(words[index].isdecimal() for words in facts for index in at)


MAX_CROWDED = 0.1  # share of used places with several contents, such as a ghost on a dot
MIN_CELLS = 4
MAX_SIDE = 30
MAX_GAPS = 4  # a line may be at most this many times as long as the number of used places in it
MAX_BOARDS = 9
MIN_FILLED = 0.1  # a board is only shown if it has this share of the fullest board's cells

_NUMBERED = re.compile(r"(?P<prefix>[a-z]+)(?P<number>\d{1,2})")

Place = tuple[str, str]
Cells = dict[Place, list[str]]
"""The contents of each place. Nearly every place has a single one."""


@dataclass(frozen=True, slots=True)
class Board:
    """Board: the columns and rows of its places, and what the places contain.

    Columns run to the right and rows upwards, as on a chess board.
    """

    layout: Layout
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    contents: frozenset[str]
    """All contents seen in cells, except `blank`."""
    blank: str | None
    """Content of an empty cell, or None if no fact names empty cells."""

    def holds(self, fact: str) -> bool:
        """Return whether a fact names a place of this board, and a content seen on the board."""
        cell = self._cell(fact)
        if cell is None or (cell.content not in self.contents and cell.content != self.blank):
            return False
        return cell.column in self.columns and cell.row in self.rows

    def is_cell(self, fact: str) -> bool:
        """Return whether a fact has the form of a cell of this board, even beyond the edge."""
        return self._cell(fact) is not None

    def cells(self, facts: Iterable[str]) -> Cells:
        """Return the contents of each place that is named in the facts of a state."""
        return self.layout.cells(map(words_of, facts))

    def crowded(self, facts: Iterable[str]) -> list[str]:
        """Return the facts about those places that have several contents."""
        facts = list(facts)
        places = _crowded(self.cells(facts))
        cells = [(fact, self._cell(fact)) for fact in facts]
        return [fact for fact, cell in cells if cell and (cell.column, cell.row) in places]

    def _cell(self, fact: str) -> Cell | None:
        return self.layout.cell(words_of(fact))


def split_facts(states: Iterable[Iterable[str]]) -> list[list[Words]]:
    """Split the facts of each state into words. Leave out facts without arguments."""
    return [[terms_of(fact) for fact in facts if fact.startswith("(")] for facts in states]


def facts_by_relation(
    states: Iterable[Iterable[str]], num_words: int
) -> Iterator[tuple[str, list[list[Words]]]]:
    """Yield the relations of facts with `num_words` words, each with its facts in each state."""
    split = [[words for words in facts if len(words) == num_words] for facts in split_facts(states)]
    for relation in sorted({words[0] for facts in split for words in facts}):
        yield relation, [[words for words in facts if words[0] == relation] for facts in split]


def find_boards(
    states: Collection[Collection[str]], roles: Collection[str] = ()
) -> tuple[Board, ...]:
    """Find the boards of a game, given some of its states. Return () if there is no board.

    A relation is a board if two of its words are a range of numbers or letters each. A single word
    such as `h2` may also count as two. Two facts of a state must hardly ever have both words in
    common, and there must be enough cells. If there are several boards, return the fullest one and
    those with the same layout.
    """
    split = split_facts(states)
    found: list[tuple[int, Board]] = []
    by_relation = [_by_relation(facts) for facts in split]
    for layout in layouts_of(itertools.chain.from_iterable(split)):
        cells = [layout.cells(known.get(layout.relation, ())) for known in by_relation]
        board = None if _is_crowded(cells) else _board(layout, cells, roles)
        if board is not None:
            found.append((sum(map(len, cells)), board))
    return tuple(_alike(_one_form_each(found, len(split))))


def _one_form_each(found: list[tuple[int, Board]], num_states: int) -> list[tuple[int, Board]]:
    """Choose one layout for each relation: prefer full boards, then square ones, then the first."""

    def oddness(one: tuple[int, Board]) -> tuple[bool, bool]:
        count, board = one
        num_places = len(board.columns) * len(board.rows)
        return count < num_states * num_places, len(board.columns) != len(board.rows)

    forms: dict[str, tuple[int, ...]] = {}
    for _, board in sorted(found, key=oddness):
        forms.setdefault(board.layout.relation, board.layout.form)
    return [one for one in found if forms[one[1].layout.relation] == one[1].layout.form]


def _alike(found: list[tuple[int, Board]]) -> Iterator[Board]:
    """Yield the fullest board, and similar boards with at least a tenth of its cells."""
    if not found:
        return
    most, fullest = max(found, key=lambda one: one[0])
    alike = [
        board
        for count, board in found
        if board.layout.form == fullest.layout.form
        and (board.columns, board.rows) == (fullest.columns, fullest.rows)
        and count >= MIN_FILLED * most
    ]
    yield from alike if len(alike) <= MAX_BOARDS else [fullest]


def _board(layout: Layout, boards: list[Cells], roles: Collection[str]) -> Board | None:
    places = set[Place]().union(*boards)
    columns = _line({column for column, _ in places})
    rows = _line({row for _, row in places})
    if len(places) < MIN_CELLS or not columns or not rows:
        return None
    blank = blank_of(boards, len(columns) * len(rows), roles)
    contents = {content for cells in boards for found in cells.values() for content in found}
    return Board(layout, columns, rows, frozenset(contents - {blank}), blank)


def _by_relation(facts: Iterable[Words]) -> dict[str, list[Words]]:
    found: dict[str, list[Words]] = {}
    for words in facts:
        found.setdefault(words[0], []).append(words)
    return found


def _is_crowded(boards: list[Cells]) -> bool:
    num_crowded = sum(len(_crowded(cells)) for cells in boards)
    return num_crowded > MAX_CROWDED * sum(map(len, boards))


def _crowded(cells: Cells) -> set[Place]:
    return {place for place, contents in cells.items() if len(contents) > 1}


def _line(names: set[str]) -> tuple[str, ...]:
    """Return the names as a range without gaps, or () if they are not a range."""
    numbered = [_NUMBERED.fullmatch(name) for name in names]
    if all(name.isdecimal() and len(name) <= 3 for name in names):
        numbers = [int(name) for name in names]
        line = tuple(map(str, range(min(numbers), max(numbers) + 1)))
    elif all(len(name) == 1 and "a" <= name <= "z" for name in names):
        letters = [ord(name) for name in names]
        line = tuple(map(chr, range(min(letters), max(letters) + 1)))
    elif all(numbered) and len({match["prefix"] for match in numbered if match}) == 1:
        [prefix] = {match["prefix"] for match in numbered if match}
        numbers = [int(match["number"]) for match in numbered if match]
        line = tuple(f"{prefix}{number}" for number in range(min(numbers), max(numbers) + 1))
    else:
        return ()
    # A single name, or a range with mostly gaps, makes a list of things rather than a board.
    return line if 1 < len(line) <= min(MAX_SIDE, MAX_GAPS * len(names)) else ()


def blank_of(boards: Sequence[Cells], num_places: int, roles: Collection[str] = ()) -> str | None:
    """Return the content of empty places, or None if no fact names them.

    If a content has a name such as `empty`, return that content. Otherwise, on a board that is
    always full, return the most common content of the first position if it is common enough. If all
    contents but one are numbers, as in a sliding puzzle, return the one that is not a number. Never
    return a role.
    """
    seen = Counter(one for cells in boards for some in cells.values() for one in some)
    for role in roles:
        seen.pop(role, None)
    named = [one for one, _ in seen.most_common() if one.lower() in _NOTHING]
    if named:
        return named[0]
    if any(len(cells) < num_places for cells in boards):
        return None
    first = Counter(one for one in itertools.chain(*boards[0].values()) if one in seen)
    content, count = first.most_common(1)[0] if first else ("", 0)
    if count * 3 > num_places:
        return content
    words = [one for one in seen if not one.isdecimal()]
    return words[0] if len(words) == 1 < len(seen) else None
