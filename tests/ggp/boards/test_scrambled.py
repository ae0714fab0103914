"""Boards of scrambled games: those of the plain game, except where names alone tell of them."""

from __future__ import annotations

import random
import re
from collections.abc import Mapping, Sequence
from itertools import product

import pytest

import gdl
from ggp import games
from ggp.boards.board import find_boards
from ggp.boards.finding import FoundBoards, find_all, steady_facts
from ggp.boards.grids import find_orders, find_twins
from ggp.boards.overlays import find_edges
from ggp.boards.plain_names import PlaceNames, read_names
from ggp.boards.state_view import StateView
from ggp.term_text import words_of
from tests.ggp.boards.dots import dots_and_boxes
from tests.shared import require
from tests.thorough import all_but

QUICK = ("tron", "twinTiles", "goFive")
"""Things beside cells; several boards; places in which numbers are counted with."""
WAYS: Mapping[str, dict[str, bool]] = {
    "symbols": {"board": False},
    "board": {"symbols": False},
    "both": {},
}
NUM_STATES = 50
States = Sequence[Sequence[str]]


def played(rules: gdl.Rulesheet) -> list[list[str]]:
    """Positions of random games."""
    machine = gdl.load(rules, "interpreter").machine
    rng = random.Random(0)
    state = machine.initial_state()
    found: list[list[str]] = []
    while len(found) < NUM_STATES:
        found.append([str(fact) for fact in machine.facts(state)])
        if machine.is_terminal(state):
            state = machine.initial_state()
        else:
            joint = [rng.choice(machine.legal_moves(state, role)) for role in machine.roles]
            state = machine.next_state(state, joint)
    return found


Drawn = list[tuple[object, ...]]


def drawn(found: FoundBoards, states: States, names: Mapping[str, str]) -> Drawn:
    """Columns, rows, what is where on each board and which lines, by the names of the plain game.

    Boards of one relation stand in the order of their names, which may be others.
    """

    def own(text: str) -> tuple[str, ...]:
        """The words of a content; arguments may be in another order."""
        return tuple(sorted(names.get(word, word) for word in re.findall(r"[^\s()]+", text)))

    boards = [
        (
            "board",
            own(board.layout.name),
            len(board.columns),
            len(board.rows),
            [
                {
                    (board.columns.index(column), board.rows.index(row)): sorted(map(own, contents))
                    for (column, row), contents in board.cells(facts).items()
                }
                for facts in states
            ],
        )
        for board in found.boards
    ]
    layers = [
        ("layer", own(one.relation), [len(one.cells(map(words_of, facts))) for facts in states])
        for one in found.layers
    ]
    edges = [
        (
            "edges",
            own(one.relation),
            [sorted(filter(None, map(one.ends, facts))) for facts in states],
        )
        for one in found.edges
    ]
    return sorted([*boards, *layers, *edges], key=str)


def check_drawing(text: str, name: str, seeds: Sequence[int]) -> FoundBoards:
    """A game is drawn as under any other names; what was found of the plain one."""
    rules = gdl.read_rules(text, name)
    states = played(rules)
    plain = find_all(states, steady_facts(states), read_names(text))
    terms = {fact: gdl.read_term(fact) for facts in states for fact in facts}
    for (way, options), seed in product(WAYS.items(), seeds):
        other = gdl.scramble(rules, seed, **options)
        names = {new: old for old, new in other.symbols.items()}
        others = {fact: str(other.move(term)) for fact, term in terms.items()}
        moved = [[others[fact] for fact in facts] for facts in states]
        found = find_all(moved, steady_facts(moved), read_names(other.text))
        assert drawn(found, moved, names) == drawn(plain, states, {}), (way, seed)
    return plain


@pytest.mark.parametrize("name", all_but(QUICK, games.names()))
def test_a_scrambled_game_has_the_boards_of_the_plain_one(name: str) -> None:
    """With other names, with arguments in another order, with both."""
    check_drawing(games.text(name), name, (3,) if name in QUICK else (3, 4))


def test_a_scrambled_game_of_an_author_has_its_dots_and_lines() -> None:
    """Of few boxes, whose corners no rule puts in order."""
    found = check_drawing(dots_and_boxes(2, 2), "dots", range(2))

    assert [(len(one.columns), one.is_between) for one in found.edges] == [(3, False)]


@pytest.mark.thorough
def test_scrambled_games_of_the_corpus_are_drawn_as_the_plain_ones() -> None:
    """A sample of what authors have written; sheets with lines in the order of names cannot be."""
    for file in sorted(require("corpus", "rules").glob("*.kif"))[::16]:
        text = file.read_text(errors="replace")
        if not gdl.read_rules(text, file.name).problems:
            check_drawing(text, file.name, (1, 2))


ORDER = ("uno", "due", "tre", "quattro")
CELLS = [f"(box {x} {y} free)" for x in ORDER[:3] for y in ORDER[:3]]


@pytest.mark.parametrize("form", ["(line (dot {}) (dot {}))", "(line {} {})"])
def test_lines_around_boxes_are_found_by_the_order_of_names(form: str) -> None:
    """As those of a scrambled dots and boxes are; the rules name the corners one after another."""
    places = [f"{x} {y}" for x in ORDER for y in ORDER]
    lines = [form.format(places[at], places[at + 1]) for at in (0, 1, 4, 13)]
    lines += [form.format(places[at], places[at + 4]) for at in (0, 5, 11)]
    [board] = find_all([CELLS], names=PlaceNames((ORDER,))).boards

    [edges] = find_edges(board, [lines], [ORDER])

    assert edges.columns == edges.rows == ORDER
    assert not edges.is_between
    assert edges.ends(form.format("due uno", "uno uno")) == ((0, 0), (1, 0))
    assert find_edges(board, [lines]) == ()


def test_words_of_both_ends_may_be_mixed() -> None:
    """Columns first, then rows: the only way in which all lines are between neighbours."""
    board = find_boards([[f"(box {x} {y} free)" for x in "123" for y in "123"]])[0]
    pairs = [((1, 1), (2, 1)), ((2, 3), (2, 4)), ((3, 2), (4, 2)), ((4, 3), (4, 4))]
    lines = [f"(line {one[0]} {other[0]} {one[1]} {other[1]})" for one, other in pairs]

    [edges] = find_edges(board, [lines])

    assert [edges.ends(line) for line in lines] == [
        tuple((x - 1, y - 1) for x, y in pair) for pair in pairs
    ]


@pytest.mark.parametrize(
    ("rules", "orders"),
    [
        ("(succ 3 1) (succ 1 7) (succ 7 2)", (("3", "1", "7", "2"),)),
        ("(succ 9 a) (succ 8 9) (succ 7 8)", (("7", "8", "9", "a"),)),
        ("(down 3 2) (down 2 1) (down 1 0)", ()),
        ("(right 3 1) (right 1 2) (right 2 3)", ()),
        ("(succ 10 20) (succ 20 30) (succ 30 40)", ()),
    ],
)
def test_numbers_may_be_names(rules: str, orders: tuple[tuple[str, ...], ...]) -> None:
    """Where the rules put them in an order that is not theirs; rising, falling, around they are."""
    assert find_orders(rules) == orders


def test_boards_beside_each_other_need_no_names() -> None:
    """Each is always full, and a square; what stands on them may be numbers."""

    def state(start: int) -> list[str]:
        places = [(x, y) for x in "pqr" for y in "pqr"]
        return [
            f"(cell {side} {x} {y} {(start + at) % 9})"
            for side in ("here", "there")
            for at, (x, y) in enumerate(places)
        ]

    states = [state(start) for start in range(9)]

    assert [board.layout.board_name for board in find_twins(states)] == ["here", "there"]
    assert find_twins([*states, states[0][1:]]) == ()


@pytest.mark.parametrize("name", ["ticTacToe", "connectFour"])
def test_text_has_the_board_of_a_scrambled_game(name: str) -> None:
    """As many places as in the plain one, whatever they are called."""
    rules = gdl.read_rules(games.text(name), name)
    other = gdl.scramble(rules, seed=3)
    states = played(gdl.read_rules(other.text, name))

    view = StateView(states, names=read_names(other.text))

    [board] = view.boards
    [plain] = find_boards(played(rules))
    assert len(board.columns) * len(board.rows) == len(plain.columns) * len(plain.rows)
    assert sum(line.count("·") for line in view.lines(states[0])) == len(board.columns) * len(
        board.rows
    )
