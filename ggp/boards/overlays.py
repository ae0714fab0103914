"""Things that other facts add to a board: `(location bomb 3 4)`, walls and lines.

>>> from ggp.boards.board import find_boards
>>> cells = [f"(cell {x} {y} b)" for x in "123" for y in "123"]
>>> states = [[*cells, "(at 1 2)"], [*cells, "(at 2 3)"], [*cells, "(at 3 3)"]]
>>> [layout] = find_overlays(find_boards(states)[0], states)
>>> layout.cell(("at", "2", "3"))
Cell(column='2', row='3', content='at')
>>> [wall] = find_edges(find_boards([cells])[0], [[*cells, "(wall 1 1 1 2)", "(wall 2 1 3 1)"]])
>>> wall.is_between
True
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import permutations, product

from ggp.boards.board import EMPTY, Board, Layout, Words
from ggp.boards.grids import Order, in_order
from ggp.boards.walk import WalkLayout
from ggp.term_text import terms_of, words_of

MAX_LAYERS = 6
MAX_THINGS = 12
FEW, MAX_SHARE = 4, 0.15
"""Limits on the facts of a relation in one state.

A relation is not an overlay if it has more than `FEW` facts and if these are more than the share
`MAX_SHARE` of the places.
"""


def find_overlays(
    board: Board, states: Sequence[Collection[str]], steady: Collection[str] = ()
) -> tuple[Layout, ...]:
    """Find relations besides the board's own in which every fact names a place of the board.

    Args:
        steady: Facts that never change. They are ignored.
    """
    if board.layout.column == board.layout.row or len(board.rows) < 2:
        return ()
    facts = {
        fact: terms_of(fact)
        for known in states
        for fact in known
        if fact.startswith("(") and fact not in steady and not board.is_cell(fact)
    }
    found = []
    for relation, num_words in sorted({(words[0], len(words)) for words in facts.values()}):
        mine = {
            fact: words
            for fact, words in facts.items()
            if words[0] == relation and len(words) == num_words
        }
        for layout in _layouts(relation, num_words):
            if _fits(layout, board, list(mine.values())) and _is_few(mine, board, states):
                found.append(layout)
                break
    return tuple(found[:MAX_LAYERS])


def _layouts(relation: str, num_words: int) -> list[Layout]:
    if num_words == 3:
        return [WalkLayout(relation, 3, 1, 2)]
    if num_words == 4:
        return [Layout(relation, 4, 2, 3), Layout(relation, 4, 1, 2)]
    return []


def _fits(layout: Layout, board: Board, facts: Sequence[Words]) -> bool:
    """Return whether all facts name places of the board, in several columns and rows.

    They must also name only a few different things.
    """
    cells = [cell for cell in map(layout.cell, facts) if cell]
    columns, rows = set(board.columns), set(board.rows)
    if not all(cell.column in columns and cell.row in rows for cell in cells):
        return False
    things = {cell.content for cell in cells}
    if len(things) > MAX_THINGS or any(thing.isdecimal() for thing in things):
        return False
    return all(len({getattr(cell, name) for cell in cells}) > 1 for name in ("column", "row"))


def _is_few(facts: Collection[str], board: Board, states: Sequence[Collection[str]]) -> bool:
    if all(terms_of(fact)[0].lower() in EMPTY for fact in facts):
        return True
    most = max(FEW, MAX_SHARE * len(board.columns) * len(board.rows))
    return all(sum(fact in facts for fact in known) <= most for known in states)


NUM_WORDS = 5
MAX_RELATIONS = 3
MIN_EDGES = 4
"""Minimum number of facts with which to try other orders of the words that name the two ends."""

Point = tuple[int, int]
Ends = tuple[Point, Point]
Places = tuple[int, int, int, int]
"""Indices of the words for the column and row of one end, then for those of the other end."""
USUAL: Places = (1, 2, 3, 4)
MIXED: tuple[Places, ...] = tuple(
    (first, second, third, last)
    for first, second, third, last in permutations(USUAL)
    if 1 in {first, second}  # either end may come first
)


@dataclass(frozen=True, slots=True)
class Edges:
    """Facts `(RELATION COLUMN ROW COLUMN ROW)` about neighbours. Each end may also be a term.

    Attributes:
        columns: Names from left to right.
        rows: Names from bottom to top.
        is_between: Whether facts name two places with a wall between them. Otherwise they name two
            corners of places. Then `columns` and `rows` each have one name more than the board.
        places: Indices of the words for the columns and rows of the ends.
    """

    relation: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    is_between: bool
    places: Places = USUAL

    def ends(self, fact: str) -> Ends | None:
        """Return the two neighbours that a fact names, as pairs (column, row) from 0, or None."""
        words = edge_words(fact)
        if len(words) != NUM_WORDS or words[0] != self.relation:
            return None
        one, other = ((words[at], words[to]) for at, to in (self.places[:2], self.places[2:]))
        if not all(column in self.columns and row in self.rows for column, row in (one, other)):
            return None
        first, last = sorted(
            (self.columns.index(column), self.rows.index(row)) for column, row in (one, other)
        )
        distance = last[0] - first[0] + abs(last[1] - first[1])
        return (first, last) if distance == 1 else None

    def all_ends(self) -> Iterator[Ends]:
        """Yield all pairs of neighbours that facts may name."""
        width, height = len(self.columns), len(self.rows)
        for x, y in product(range(width), range(height)):
            if x + 1 < width:
                yield (x, y), (x + 1, y)
            if y + 1 < height:
                yield (x, y), (x, y + 1)

    def words(self, ends: Ends) -> Words:
        """Return the names of the column and row of one end, then those of the other end."""
        return tuple(name for x, y in ends for name in (self.columns[x], self.rows[y]))


def edge_words(fact: str) -> Words:
    """Return five words: the relation and both ends. Return the words of other facts unchanged.

    >>> edge_words("(line (dot 1 1) (dot 2 1))")
    ('line', '1', '1', '2', '1')
    """
    words = words_of(fact)
    if len(words) != 3:
        return words
    ends = [words_of(word) for word in words[1:]]
    if any(len(end) != 3 or end[0] != ends[0][0] for end in ends):
        return words
    return (words[0], *ends[0][1:], *ends[1][1:])


def find_edges(
    board: Board, states: Sequence[Collection[str]], orders: Sequence[Order] = ()
) -> tuple[Edges, ...]:
    """Find the relations whose facts all name neighbouring places on a board, or their corners.

    Args:
        states: Facts of positions.
        orders: Orders of names; see `ggp.boards.grids`.
    """
    if len(board.rows) < 2:
        return ()
    facts = {fact for known in states for fact in known if fact.startswith("(")}
    split = {fact: words for fact in facts if len(words := edge_words(fact)) == NUM_WORDS}
    found = []
    for relation in sorted({words[0] for words in split.values()}):
        mine = {fact: words for fact, words in split.items() if words[0] == relation}
        for edges in _readings(relation, board, list(mine.values()), orders):
            if all(map(edges.ends, mine)):
                found.append(edges)
                break
    return tuple(found[:MAX_RELATIONS])


def _readings(
    relation: str, board: Board, facts: Sequence[Words], orders: Sequence[Order]
) -> Iterator[Edges]:
    """Yield ways to interpret these facts as edges. The usual order of words comes first."""
    for places in (USUAL, *(MIXED if len(facts) >= MIN_EDGES else ())):
        yield Edges(relation, board.columns, board.rows, True, places)
        columns = _corners(board.columns, facts, places[::2], orders)
        rows = _corners(board.rows, facts, places[1::2], orders)
        if columns and rows:
            yield Edges(relation, columns, rows, False, places)


def _corners(
    line: Sequence[str], facts: Collection[Words], at: Sequence[int], orders: Sequence[Order]
) -> tuple[str, ...]:
    """Return the names of corners along a line of places, or () if their number is wrong.

    There must be one corner more than there are places.
    """
    names = {words[place] for words in facts for place in at}
    found = in_order({*names, *line}, orders)
    if not found and all(name.isdecimal() and len(name) < 4 for name in (*names, *line)):
        found = tuple(map(str, range(min(map(int, names)), max(map(int, names)) + 1)))
    return found if len(found) == len(line) + 1 else ()
