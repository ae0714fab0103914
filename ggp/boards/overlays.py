"""Things that other facts put on a board: `(location bomb 3 4)` beside cells, walls, lines.

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

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ggp.boards.board import EMPTY, Board, Layout, Words
from ggp.boards.walk import WalkLayout
from ggp.term_text import terms_of, words_of

MAX_LAYERS = 6
MAX_THINGS = 12
FEW, MAX_SHARE = 4, 0.15
"""In one state; more facts than these, or than this share of the places, are no few things."""


def find_overlays(
    board: Board, states: Sequence[Collection[str]], steady: Collection[str] = ()
) -> tuple[Layout, ...]:
    """Relations other than the board's own whose facts name one of its places.

    Args:
        steady: Facts that say nothing.
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
    """Whether all facts name places, several of each line, and there are few things."""
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

Point = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Edges:
    """Facts `(RELATION COLUMN ROW COLUMN ROW)` of neighbours, or with a term for either end.

    Attributes:
        columns: Names from left to right.
        rows: Names upwards.
        is_between: Whether they name two places with a wall between them; else two corners of
            places, of which there is one more in each line.
    """

    relation: str
    columns: tuple[str, ...]
    rows: tuple[str, ...]
    is_between: bool

    def ends(self, fact: str) -> tuple[Point, Point] | None:
        """The two neighbours that a fact names, by column and row, the first one 0."""
        words = edge_words(fact)
        if len(words) != NUM_WORDS or words[0] != self.relation:
            return None
        if not {words[1], words[3]} <= set(self.columns) or not {words[2], words[4]} <= set(
            self.rows
        ):
            return None
        first, last = sorted(
            (self.columns.index(words[at]), self.rows.index(words[at + 1])) for at in (1, 3)
        )
        distance = last[0] - first[0] + abs(last[1] - first[1])
        return (first, last) if distance == 1 else None


def edge_words(fact: str) -> Words:
    """The relation, column and row of one end and of the other; other facts as they are.

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


def find_edges(board: Board, states: Sequence[Collection[str]]) -> tuple[Edges, ...]:
    """The relations whose facts all name neighbours on a board, or corners of its places."""
    facts = {fact for known in states for fact in known if fact.startswith("(")}
    split = {fact: words for fact in facts if len(words := edge_words(fact)) == NUM_WORDS}
    found = []
    for relation in sorted({words[0] for words in split.values()}):
        mine = {fact: words for fact, words in split.items() if words[0] == relation}
        for columns, rows, is_between in (
            (board.columns, board.rows, True),
            (
                _corners(board.columns, mine.values(), 1),
                _corners(board.rows, mine.values(), 2),
                False,
            ),
        ):
            edges = Edges(relation, columns, rows, is_between)
            if len(board.rows) > 1 and all(edges.ends(fact) for fact in mine):
                found.append(edges)
                break
    return tuple(found[:MAX_RELATIONS])


def _corners(line: Sequence[str], facts: Collection[Words], at: int) -> tuple[str, ...]:
    """The names of corners: those of places, and one more at either end."""
    names = {words[at + step] for words in facts for step in (0, 2)}
    if not all(name.isdecimal() and len(name) < 4 for name in (*names, *line)):
        return ()
    first, last = min(map(int, names)), max(map(int, names))
    return tuple(map(str, range(first, last + 1))) if last - first == len(line) else ()
