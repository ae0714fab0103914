"""Things on a board that other facts name: `(location bomb 3 4)` beside cells.

>>> from ggp.boards.board import find_boards
>>> cells = [f"(cell {x} {y} b)" for x in "123" for y in "123"]
>>> states = [[*cells, "(at 1 2)"], [*cells, "(at 2 3)"], [*cells, "(at 3 3)"]]
>>> [layout] = find_overlays(find_boards(states)[0], states)
>>> layout.cell(("at", "2", "3"))
Cell(column='2', row='3', content='at')
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from ggp.boards.board import Board
from ggp.boards.layout import EMPTY, Layout, Words
from ggp.boards.walk import WalkLayout
from ggp.term_text import terms_of

MAX_LAYERS = 6
MAX_THINGS = 12
FEW, MAX_SHARE = 4, 0.15
"""In one state; more facts than these, or than this share of the places, are no few things."""


def find_overlays(
    board: Board, states: Sequence[Collection[str]], steady: Collection[str] = ()
) -> tuple[Layout, ...]:
    """Relations other than the board's own whose facts name one of its places.

    Args:
        board: With columns and rows.
        states: Facts of positions, the initial one first.
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
