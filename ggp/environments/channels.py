"""The channels of a game's planes: what is on its boards, and each fact that is on none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ggp.boards.board import EMPTY, Board, Place
from ggp.boards.finding import FoundBoards, find_all, steady_facts
from ggp.boards.grids import Order, natural
from ggp.boards.stacks import find_stacks
from ggp.boards.switches import SwitchLayout
from ggp.environments.sample import Sample
from ggp.term_text import terms_of

WHOLE: Final = -1
"""The place of a fact that fills a whole plane."""
NOTHING: Final = ""

Kind = tuple[str, str]
"""A board or layer, and what is there."""
Spots = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class Channel:
    """A plane. Those on boards come before those of facts that fill a whole plane.

    Attributes:
        name: `cell x`, or a fact that is on no board.
        group: Its board or layer; empty for a fact that is on none.
        content: Of the cells; empty for a fact that is on no board.
        is_blank: Whether its ones are where nothing is.
        spots: Facts, and the place of each in the plane.
    """

    name: str
    group: str
    content: str
    is_blank: bool
    spots: tuple[tuple[int, int], ...]

    @property
    def is_on_board(self) -> bool:
        """Whether its ones are places."""
        return self.group != NOTHING


@dataclass(frozen=True, slots=True)
class Channels:
    """All channels, in their order, and the names of columns and rows from index 0."""

    all: tuple[Channel, ...]
    columns: tuple[str, ...]
    rows: tuple[str, ...]


def find_channels(
    facts: Sequence[str], sample: Sample, orders: Sequence[Order] = ()
) -> Channels | None:
    """The channels of all facts of a game; None if it has no boards.

    Of boards of several sizes the clearest, and those of its size, have channels; what is on the
    others are facts on no board. The orders are those of names in the rules.
    """
    found = _find_boards(sample.states, orders)
    if not found.boards:
        return None
    seen = [_cells(board, facts) for board in found.boards]
    lines = [_lines(board, cells) for board, cells in zip(found.boards, seen, strict=True)]
    columns, rows = lines[0]
    places = {
        (column, row): y * len(columns) + x
        for y, row in enumerate(rows)
        for x, column in enumerate(columns)
    }
    spots: dict[Kind, Spots] = {}
    for board, cells, own in zip(found.boards, seen, lines, strict=True):
        if tuple(map(len, own)) == (len(columns), len(rows)):
            to_first = _renamed(own, (columns, rows))
            for number, place, content in cells:
                kind = (board.layout.name, content)
                spots.setdefault(kind, []).append((number, places[to_first[place]]))
    for layer in found.layers:
        for number, fact in enumerate(facts):
            cell = layer.cell(terms_of(fact)) if fact.startswith("(") else None
            if cell is not None and (cell.column, cell.row) in places:
                kind = (layer.name, cell.content)
                spots.setdefault(kind, []).append((number, places[cell.column, cell.row]))
    switches = {
        board.layout.name for board in found.boards if isinstance(board.layout, SwitchLayout)
    }
    blanks = {(board.layout.name, board.blank) for board in found.boards}
    on_boards = [
        Channel(
            content if group == content or group in switches else f"{group} {content}".strip(),
            group,
            content,
            (group, content) in blanks or content.lower() in EMPTY,
            tuple(some),
        )
        for (group, content), some in _ordered(spots)
    ]
    on_a_board = {number for some in spots.values() for number, _ in some}
    others = [
        Channel(fact, NOTHING, NOTHING, False, ((number, WHOLE),))
        for number, fact in enumerate(facts)
        if number not in on_a_board
    ]
    return Channels((*on_boards, *others), columns, rows)


def _ordered(spots: dict[Kind, Spots]) -> list[tuple[Kind, Spots]]:
    """Board by board, as they were found, and on each what is there by name."""
    groups = list(dict.fromkeys(group for group, _ in spots))
    return sorted(spots.items(), key=lambda item: (groups.index(item[0][0]), natural(item[0][1])))


def _find_boards(states: Sequence[Sequence[str]], orders: Sequence[Order]) -> FoundBoards:
    """The boards as they are drawn, without the view of a bundled game."""
    stacks = find_stacks(states)
    if stacks is not None:
        states = [[one for one in facts if not stacks.is_fact(one)] for facts in states]
    return find_all(states, steady_facts(states), orders)


def _cells(board: Board, facts: Sequence[str]) -> list[tuple[int, Place, str]]:
    return [
        (number, place, content)
        for number, fact in enumerate(facts)
        for place, contents in board.cells([fact]).items()
        for content in contents
    ]


def _lines(board: Board, cells: Sequence[tuple[int, Place, str]]) -> tuple[Order, Order]:
    """Its columns and rows, with those that only the rules know of."""
    columns = {column for _, (column, _), _ in cells}
    rows = {row for _, (_, row), _ in cells}
    return _line(board.columns, columns), _line(board.rows, rows)


def _line(known: Order, names: set[str]) -> Order:
    if names <= set(known):
        return known
    return tuple(sorted(names.union(known), key=natural))


def _renamed(lines: tuple[Order, Order], to: tuple[Order, Order]) -> dict[Place, Place]:
    """The place on another board of the same size, for each place."""
    columns, rows = (dict(zip(mine, its, strict=True)) for mine, its in zip(lines, to, strict=True))
    return {(column, row): (columns[column], rows[row]) for column in columns for row in rows}
