"""Find everything in a game that can be drawn as a board of some form."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass

from ggp.boards.board import Board, Layout, find_boards
from ggp.boards.grids import are_swapped, find_grids, find_twins
from ggp.boards.lines import find_lines, find_sequences
from ggp.boards.nested import find_nested
from ggp.boards.overlays import Edges, find_edges, find_overlays
from ggp.boards.plain_names import NO_NAMES, PlaceNames
from ggp.boards.switches import find_switches
from ggp.boards.walk import find_marks
from ggp.term_text import words_of

MAX_PLACES, MAX_BOARDS = 2500, 12
"""Limits on the places and boards of a game, so that pictures stay small for any rules."""
MAX_ROUNDS = 4
MANY = 60
"""Minimum number of positions from which `steady_facts` concludes that a fact never changes."""

Find = Callable[[Sequence[Collection[str]]], tuple[Board, ...]]


@dataclass(frozen=True, slots=True)
class FoundBoards:
    """Parts of a game that can be drawn as boards.

    Attributes:
        boards: The boards, the clearest first.
        layers: Layouts of other facts about the places of the board, if there is only one.
        edges: Lines around or between the places of the board, if there is only one.
    """

    boards: tuple[Board, ...] = ()
    layers: tuple[Layout, ...] = ()
    edges: tuple[Edges, ...] = ()


def find_all(
    states: Sequence[Collection[str]],
    steady: Collection[str] = (),
    names: PlaceNames = NO_NAMES,
) -> FoundBoards:
    """Find the boards of a game. If there is only one, also find other things that are on it.

    Args:
        states: Facts of positions, the initial one first.
        steady: Facts that never change. Only the clearest boards, and the lines around their
            places, may be found from them. Everything else is found without them.
        names: Names of places in the rules.
    """
    plain = [list(map(names.as_plain, facts)) for facts in states]
    found = _find_all(plain, set(map(names.as_plain, steady)), names)
    return FoundBoards(
        tuple(map(names.written_board, found.boards)),
        tuple(map(names.written_layout, found.layers)),
        tuple(map(names.written_edges, found.edges)),
    )


def find_clearest(states: Sequence[Collection[str]], names: PlaceNames = NO_NAMES) -> FoundBoards:
    """Find the clearest board and its lines, or several boards of the same form."""
    plain = [list(map(names.as_plain, facts)) for facts in states]
    boards = find_twins(plain, names.orders, names.roles)
    if not boards and not are_swapped(names.orders):
        boards = find_boards(plain, names.roles)
    if not boards:  # try places with arbitrary names
        grids = find_grids(plain, names.orders, names.roles)[:1]
        boards = tuple(board for board in grids if board.layout.num_words > 3)
    edges = find_edges(boards[0], plain, names.orders) if len(boards) == 1 else ()
    return FoundBoards(
        tuple(map(names.written_board, boards)), edges=tuple(map(names.written_edges, edges))
    )


def _find_all(
    states: Sequence[Collection[str]], steady: Collection[str], names: PlaceNames
) -> FoundBoards:
    orders, roles = names.orders, names.roles

    def in_order(rest: Sequence[Collection[str]]) -> tuple[Board, ...]:
        return find_grids(rest, orders, roles)[:1]

    def beside(rest: Sequence[Collection[str]]) -> tuple[Board, ...]:
        return find_twins(rest, orders, roles)

    def numbered(rest: Sequence[Collection[str]]) -> tuple[Board, ...]:
        return find_boards(rest, roles)

    by_name: list[Find] = [] if are_swapped(orders) else [numbered, find_nested]
    plain: list[Find] = [beside, *by_name, in_order, find_lines]
    rest = [[fact for fact in facts if fact not in steady] for facts in states]
    found = _bounded(
        _first(plain, states) or _first([find_marks, find_switches, find_sequences], rest)
    )
    layers = find_overlays(found[0], states, steady) if len(found) == 1 else ()
    edges = find_edges(found[0], states, orders) if len(found) == 1 else ()
    rest = [[fact for fact in facts if not _is_shown(layers, edges, fact)] for facts in rest]
    for _ in range(MAX_ROUNDS):
        rest = [[fact for fact in facts if not _is_on(found, fact)] for facts in rest]
        more = _first([*plain, find_switches, find_sequences], rest)
        more = tuple(board for board in more if not _is_list(board))
        if not more or len(_bounded([*found, *more])) == len(found):
            break
        found = _bounded([*found, *more])
    return FoundBoards(tuple(found), layers, edges)


def steady_facts(states: Sequence[Collection[str]]) -> frozenset[str]:
    """Return the facts that are in all positions. Return none if too few positions are known."""
    if len(states) < MANY:
        return frozenset()
    steady = frozenset(states[0]).intersection(*states)
    return steady if len(steady) < len(states[0]) else frozenset()


def _is_shown(layers: Sequence[Layout], edges: Sequence[Edges], fact: str) -> bool:
    words = words_of(fact)
    return any(layer.cell(words) for layer in layers) or any(one.ends(fact) for one in edges)


def _first(finders: Sequence[Find], states: Sequence[Collection[str]]) -> tuple[Board, ...]:
    return next((found for find in finders if (found := find(states))), ())


def _is_list(board: Board) -> bool:
    """Return whether a board is probably a list of amounts, because it contains only numbers."""
    return board.blank is None and len(board.rows) > 1 and all(map(str.isdecimal, board.contents))


def _is_on(boards: Collection[Board], fact: str) -> bool:
    return any(board.is_cell(fact) for board in boards)


def _bounded(boards: Sequence[Board]) -> list[Board]:
    """Return the first boards, as many as the limits on boards and places allow."""
    kept: list[Board] = []
    places = 0
    for board in boards[:MAX_BOARDS]:
        places += len(board.columns) * len(board.rows)
        if places > MAX_PLACES:
            break
        kept.append(board)
    return kept
