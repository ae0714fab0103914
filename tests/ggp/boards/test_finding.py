"""Boards of names that tell nothing: orders, grids, switches, rows, stacks, layers and edges."""

from __future__ import annotations

import pytest

from ggp.boards.board import find_boards
from ggp.boards.finding import find_all
from ggp.boards.grids import find_grids, find_orders
from ggp.boards.lines import find_sequences
from ggp.boards.overlays import find_edges, find_overlays
from ggp.boards.plain_names import read_names
from ggp.boards.stacks import find_stacks
from ggp.boards.switches import find_switches
from ggp.drawing.piles import draw_stacks
from ggp.drawing.position_renderer import PositionRenderer

NAMES = ("uno", "due", "tre")
CELLS = [f"(cell {x} {y} b)" for x in "123" for y in "123"]


@pytest.mark.parametrize(
    ("rules", "orders"),
    [
        ("(next a b) (next b c)", (("a", "b", "c"),)),
        ("; (next a b)\n(next b c) (next a b) (next c d)", (("a", "b", "c", "d"),)),
        ("(next a b) (next b c) (next c a)", (("a", "b", "c"),)),
        ("(opponent white black) (opponent black white)", ()),
        ("(next a b) (next a c)", ()),
        ("(next a c) (next b c)", ()),
        ("(next a b) (next c d)", ()),
        ("(succ 1 2) (succ 2 3)", ()),
        ("(<= (next a b) (true c)) (next b (f c)) (next c d)", ()),
        ("(next a b (", ()),
    ],
)
def test_orders_are_chains_of_facts(rules: str, orders: tuple[tuple[str, ...], ...]) -> None:
    """A circle is cut where it was written first; what branches is no order, nor is a rule."""
    assert find_orders(rules) == orders


def test_full_grid_needs_no_order() -> None:
    """Words are places, whatever they mean, if each place has a thing in all positions."""
    state = [f"(p {x} {y} q)" for x in NAMES for y in NAMES]

    [board] = find_grids([state, state])

    assert set(board.columns) == set(NAMES)
    assert find_grids([state, state[1:]]) == ()


def test_order_puts_columns_right() -> None:
    """Also where only some places have a thing; the order may have more names than the board."""
    state = [f"(p {x} {y} q)" for x in NAMES for y in NAMES]

    [board] = find_grids([state[:-1], state[1:]], [("zero", *NAMES, "quattro")])

    assert board.columns == board.rows == NAMES


def test_pairs_of_things_are_no_grid() -> None:
    """A thing that belongs to another has one partner; places share their columns and rows."""
    pairs = [f"(on {x} {y})" for x, y in zip(NAMES, reversed(NAMES), strict=True)]
    places = [f"(set {x} {y})" for x in NAMES for y in NAMES]

    assert find_grids([pairs], [NAMES]) == ()
    assert find_grids([places], [NAMES])[0].columns == NAMES


def test_switches_are_always_one_of_two() -> None:
    """A place that is missing once, or has both, is no switch."""
    first, second = ["(on p)", "(off q)", "(off r)"], ["(off p)", "(on q)", "(off r)"]

    [lamps] = find_switches([first, second])

    assert lamps.columns == ("p", "q", "r")
    assert lamps.cells(second) == {("p", ""): ["off"], ("q", ""): ["on"], ("r", ""): ["off"]}
    assert find_switches([first, second[1:]]) == ()
    assert find_switches([first, [*second, "(on r)"]]) == ()


def test_switches_may_have_columns_and_rows() -> None:
    """As two boards of which each place has been marked by somebody, or by nobody."""
    first = [f"(free {place} {board})" for place in "pqr" for board in ("one", "two")]
    second = ["(mine p one)", *first[1:]]

    [board] = find_switches([first, second])

    assert (len(board.columns), len(board.rows)) == (3, 2)
    assert board.cells(second)["p", "one"] == ["mine"]


def test_a_row_is_one_fact_of_things_that_move() -> None:
    """A fact of which each argument has its own values is no row of things."""
    assert find_sequences([["(order a b c d)"], ["(order b a d c)"]])[0].columns == tuple("1234")
    assert find_sequences([["(player joe red 3 go)"], ["(player ann blue 4 stay)"]]) == ()
    assert find_sequences([["(order a b c d)", "(order b a d c)"]]) == ()


def test_stacks_are_drawn_from_below() -> None:
    """A thing that never lies on anything is at the bottom; what lies anew is marked."""
    first, second = ["(on d1 d2)", "(on d2 left)"], ["(on d1 right)", "(on d2 left)"]

    stacks = find_stacks([first, second])

    assert stacks is not None
    assert stacks.bases == {"left", "right"}
    assert stacks.towers(first) == [["left", "d2", "d1"], ["right"]]
    parts, _, _ = draw_stacks(stacks, second, first)
    assert ["d1" in part for part in parts if "#f5d76e" in part] == [True]


def test_what_lies_on_two_things_is_no_stack() -> None:
    """Nor what lies above itself."""
    assert find_stacks([["(on a b)", "(on a c)"], ["(on b c)"]]) is None
    assert find_stacks([["(on a b)", "(on b c)", "(on c a)"], []]) is None


def test_layers_stand_on_the_board() -> None:
    """Facts beside the cells that name places, several of them; no numbers of things."""
    states = [[*CELLS, f"(robot r {x} {y})", f"(score {x} {y})"] for x, y in ("12", "23", "31")]
    board = find_boards(states)[0]

    layers = find_overlays(board, states)

    assert [layer.relation for layer in layers] == ["robot", "score"]
    assert find_overlays(board, [[*CELLS, "(robot r 7 1)", "(robot r 1 2)"]]) == ()
    assert find_overlays(board, [[*CELLS, "(robot 5 1 1)", "(robot 6 2 2)"]]) == ()


def test_edges_are_between_neighbours() -> None:
    """Between two places, or between two corners of places; not farther."""
    board = find_boards([CELLS])[0]

    [wall] = find_edges(board, [["(wall 1 1 1 2)", "(wall 2 2 3 2)"]])
    [line] = find_edges(board, [["(line 1 1 1 2)", "(line 3 4 4 4)"]])

    assert wall.is_between
    assert not line.is_between
    assert line.ends("(line 4 4 3 4)") == ((2, 3), (3, 3))
    assert find_edges(board, [["(move 1 1 3 1)"]]) == ()


def test_ends_of_edges_may_be_terms() -> None:
    """Two of one name, a column and a row each; drawn and told of as lines in words are."""
    board = find_boards([CELLS])[0]

    [line] = find_edges(board, [["(line (dot 1 1) (dot 1 2))", "(line (dot 3 4) (dot 4 4))"]])

    assert not line.is_between
    assert (
        line.ends("(line (dot 4 4) (dot 3 4))") == line.ends("(line 4 4 3 4)") == ((2, 3), (3, 3))
    )
    for other in ("(dot 1 1) (cell 1 2)", "(dot 1 1) (dot 3 1)", "(dot 1) (dot 2)", "(dot 1 1) x"):
        assert line.ends(f"(line {other})") is None
        assert find_edges(board, [[f"(line {other})"]]) == ()


def test_boards_of_several_forms_are_found_together() -> None:
    """A grid and a row; what has been found is not found again."""
    states = [[*CELLS, *(f"(pit {at} {'ab'[turn]})" for at in "1234")] for turn in (0, 1)]

    found = find_all(states)

    assert [board.layout.relation for board in found.boards] == ["cell", "pit"]


def test_lanes_are_boards_of_their_own() -> None:
    """Boards that are full are likelier than square ones made of what stands here and there."""
    states = [
        [
            f"(cell {lane} {x} {y} {piece if x + y == place else 'b'})"
            for lane, piece in (("left", "black"), ("right", "white"))
            for x in "abcde"
            for y in "123"
        ]
        for place in ("a1", "a2", "a3", "b1", "b2", "b3", "c1", "c2", "c3")
    ]

    boards = find_boards(states)

    assert [(board.layout.board_name, len(board.columns)) for board in boards] == [
        ("left", 5),
        ("right", 5),
    ]


def squares(contents: str) -> list[str]:
    """The facts of a board of three rows, one word for each place."""
    places = [(x, y) for y in "321" for x in "123"]
    return [f"(cell {x} {y} {one})" for (x, y), one in zip(places, contents.split(), strict=True)]


SET_UP = f"knight {'pawn ' * 8}"
MOVED = f"{'pawn ' * 7} knight"


@pytest.mark.parametrize(
    ("states", "roles", "blank"),
    [
        ([SET_UP, f"blank {MOVED}"], (), "blank"),
        ([SET_UP, f"Empty {MOVED}"], (), "Empty"),
        ([SET_UP, f"- {MOVED}"], (), "-"),
        ([SET_UP, f"knight {MOVED}"], (), "pawn"),
        (["d d d d d d a a e"], ("d", "a"), None),
        (["d d d d d e e e e"], ("d", "a"), "e"),
        (["none none none none x b b b b"], ("none", "x"), "b"),
        (["1 2 3 4 5 6 7 8 b"], (), "b"),
        (["1 2 3 4 5 6 7 8 b"], ("b",), None),
        (["d d d d d a a a a", "d d d d d a blank a a"], ("d", "a"), "blank"),
    ],
)
def test_a_piece_is_not_taken_for_the_empty_square(
    states: list[str], roles: tuple[str, ...], blank: str | None
) -> None:
    """A name of nothing is, in whatever position; a role never; only then what there is most of."""
    seen = [squares(one) for one in states]
    words = {word: f"w{word}" for word in "123"}
    named = [[" ".join(words.get(w, w) for w in f[1:-1].split()) for f in one] for one in seen]
    rules = "".join(f"(role {one})" for one in roles) + "(nxt w1 w2) (nxt w2 w3)"

    [board] = find_boards(seen, roles)
    [grid] = find_all([[f"({f})" for f in one] for one in named], (), read_names(rules)).boards

    assert board.blank == blank
    assert blank not in board.contents
    if not any(word.isdecimal() for word in states[0].split()):
        assert grid.blank == blank


@pytest.mark.parametrize("rules", ["(role d) (ROLE a)", "role(d)\nrole( a )", "(role d (role a))"])
def test_roles_are_known_from_either_notation(rules: str) -> None:
    """Broken rules are searched as well."""
    assert read_names(rules).roles >= {"a"}


def test_pieces_named_as_a_role_are_drawn() -> None:
    """Sixteen of them were the empty squares of the picture."""
    state = [f"(cell {x} {y} {'d' if y < 3 else 'a'})" for x in range(1, 9) for y in range(1, 5)]
    other = [fact.replace("1 1 d", "1 1 e") for fact in state]

    svg = PositionRenderer("", [state, other], ["d", "a"]).svg(state)

    assert svg.count("<circle") == len(state)
