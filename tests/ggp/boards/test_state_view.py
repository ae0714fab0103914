"""States are shown as boards where they have one, whatever its name, else as columns of facts."""

from __future__ import annotations

import pytest

import gdl
from ggp import games
from ggp.boards.board import find_boards
from ggp.boards.state_view import StateView, in_columns, survey
from ggp.boards.text import plain_text
from tests.thorough import all_but

NUM_ROWS = {"ticTacToe": 3, "connectFour": 6, "othello": 8, "breakthrough": 8, "tron": 10}
SURVEY_SECONDS = {"othello": 3.0, "tron": 3.0}  # nearly empty at first: they need whole games


def grid(width: int, height: int, piece: str = "b") -> list[str]:
    """The facts of a board full of one piece."""
    return [f"(at {x} {y} {piece})" for x in range(1, width + 1) for y in range(1, height + 1)]


def test_a_full_board_is_drawn_with_its_commonest_content_blank() -> None:
    """First argument to the right, second upwards, coordinates at the edge."""
    start = [*grid(3, 2), "(turn me)"]
    later = ["(at 1 1 x)", *grid(3, 2)[1:], "(turn you)"]

    lines = StateView([start]).lines(later)

    assert lines == ["2 · · ·", "1 x · ·", "  1 2 3", "(turn you)"]


def test_letters_make_coordinates_too() -> None:
    """Chess boards have columns a to h."""
    start = [f"(cell {x} {y} {p})" for x, p in zip("abc", "rnk", strict=True) for y in (1, 2)]

    assert StateView([start]).lines(start) == ["2 r n k", "1 r n k", "  a b c"]


def test_pieces_are_abbreviated_as_far_as_they_differ() -> None:
    """`black` and `blue` need three letters, `white` one."""
    start = ["(at 1 1 black)", "(at 2 1 blue)", "(at 1 2 white)", "(at 3 2 white)"]

    assert StateView([start]).lines(start) == [
        "2   w   ·   w",
        "1 bla blu   ·",
        "    1   2   3",
    ]


def test_numbers_of_pieces_stay_whole() -> None:
    """Of several of a kind, and where they are the piece: 12 is not 1."""
    start = ["(at 1 1 tank1)", "(at 2 1 tank12)", "(at 1 2 soldier)", "(at 3 2 tank2)"]
    numbers = ["(at 1 1 12)", "(at 2 1 3)", "(at 1 2 gap)", "(at 2 2 4)"]

    assert StateView([start]).lines(start)[:2] == ["2   s   ·  t2", "1  t1 t12   ·"]
    assert StateView([numbers]).lines(numbers) == ["2  ·  4", "1 12  3", "   1  2"]


def test_a_board_grows_when_a_state_needs_it() -> None:
    """A fact beyond the edge widens the board; it does not get lost."""
    view = StateView([grid(2, 2)])

    lines = view.lines([*grid(2, 2), "(at 4 1 x)"])

    assert lines[-1] == "  1 2 3 4"
    assert lines[-2].endswith("x")


@pytest.mark.parametrize(
    "facts",
    [
        [],
        ["(at 1 1 b)", "(at 1 2 b)", "(at 2 1 b)"],
        ["(at 1 1 a)", "(at 1 1 b)", "(at 1 2 a)", "(at 2 1 a)", "(at 2 2 a)"],
        [*(f"(at {x} {y} {p})" for x in (1, 2) for y in (1, 2, 3) for p in "ab")],
        ["(has a one x)", "(has b two x)", "(has c three x)", "(has d four x)"],
        ["(at 1 1 b)", "(at 500 1 b)", "(at 1 2 b)", "(at 500 2 b)"],
        ["(heap a 3)", "(heap b 3)", "(heap c 3)", "(heap d 3)"],
        ["(p 1 1 a)", "(p 2 1 a)", "(p 3 1 a)", "(p 4 1 a)"],
    ],
    ids=["none", "few", "crowded", "all crowded", "words", "wide", "pairs", "one row"],
)
def test_other_facts_are_no_board(facts: list[str]) -> None:
    """Too few cells, two things in one place, coordinates in no order, a single row."""
    assert find_boards([facts]) == ()


def test_a_place_with_two_things_is_marked_and_told() -> None:
    """Rarely two things meet, as at the end of Tron: a star, and both facts below."""
    both = ["(at 2 1 x)", "(at 2 1 y)"]
    start = [*grid(5, 5), "(at 6 1 x)", "(at 6 2 y)"]
    later = [fact for fact in start if not fact.startswith("(at 2 1")] + both

    lines = StateView([start, later]).lines(later)

    assert lines[4] == "1 b * b b b x"
    assert lines[-1].split("  ") == both


def test_facts_without_a_board_stand_in_columns() -> None:
    """Sorted, read downwards, as many columns as fit."""
    assert StateView([], width=12).lines(["c", "a", "b", "dddd"]) == ["a     c", "b     dddd"]


def test_many_facts_are_cut_and_counted() -> None:
    """The number of hidden facts is shown."""
    lines = in_columns([f"fact{number:02}" for number in range(40)], width=6, max_lines=3)

    assert lines == ["fact00", "fact01", "fact02", "... and 37 more facts"]


@pytest.mark.parametrize("name", all_but(["connectFour"], NUM_ROWS))
def test_bundled_board_games_have_boards(name: str) -> None:
    """Also those whose boards begin empty or nearly so."""
    machine = gdl.load(gdl.read_kif(games.text(name)), "interpreter")

    [board] = find_boards(survey(machine, seconds=SURVEY_SECONDS.get(name, 0.05)))

    assert len(board.rows) == NUM_ROWS[name]


@pytest.mark.parametrize(
    ("facts", "top", "bottom"),
    [
        (["(cell a1 x)", "(cell b1 y)", "(cell a2 e)", "(cell b2 e)"], "2 · ·", "  a b"),
        (["(at c1 a x)", "(at c2 a y)", "(at c1 b e)", "(at c2 b e)"], "b  ·  ·", "  c1 c2"),
        (["(at king 3 1)", "(at rook 4 1)", "(at pawn 3 2)", "(at bird 4 2)"], "2 p b", "  3 4"),
        (
            ["(c 1 1 black king)", "(c 2 1 black rook)", "(c 1 2 white king)", "(c 2 2 red rook)"],
            "2 wk rr",
            "   1  2",
        ),
    ],
    ids=["squares", "letters before numbers", "content first", "two words"],
)
def test_cells_have_many_forms(facts: list[str], top: str, bottom: str) -> None:
    """The place before or after the content, in one word or two."""
    lines = StateView([facts]).lines(facts)

    assert (lines[0], lines[-1]) == (top, bottom)


@pytest.mark.parametrize(
    "facts",
    [
        [f"({name} {x} {y} e)" for name in ("left", "right") for x in (1, 2) for y in (1, 2)],
        [f"(cell {name} {x} {y} e)" for name in ("left", "right") for x in (1, 2) for y in (1, 2)],
    ],
    ids=["relations", "names"],
)
def test_several_boards_stand_beside_each_other(facts: list[str]) -> None:
    """Each has its name above it, and its own marks."""
    changed = [facts[0].replace("e)", "x)"), *facts[1:]]
    view = StateView([facts, changed], width=30)

    lines = view.lines(changed, before=facts)

    assert [len(view.boards), len(lines)] == [2, 4]
    assert lines[0].endswith("right")
    assert "left" in lines[0]
    assert lines[2] == "1[x]·     1 · ·"


def test_full_squares_of_tiles_are_the_boards() -> None:
    """As in pictures: not the places of each tile; the gap among numbers is blank."""
    places = [(x, y) for x in "123" for y in "123"]

    def state(start: int) -> list[str]:
        tiles = [str((start + at) % 9) if (start + at) % 9 else "gap" for at in range(9)]
        return [
            f"(cell {side} {x} {y} {tile})"
            for side in ("here", "there")
            for (x, y), tile in zip(places, tiles, strict=True)
        ]

    view = StateView([state(start) for start in range(9)])

    assert view.lines(state(0)) == [
        "cell here   cell there",
        "3 2 5 8     3 2 5 8",
        "2 1 4 7     2 1 4 7",
        "1 · 3 6     1 · 3 6",
        "  1 2 3       1 2 3",
    ]


def test_pairs_of_squares_are_no_board() -> None:
    """A way from one to the other, or one thing on another."""
    assert find_boards([[f"(on {x}{y} {x}{y + 1})" for x in "ab" for y in (1, 2, 3)]]) == ()


def test_what_has_changed_is_marked() -> None:
    """A piece that came, and the place that it left; not where most of the board has changed."""
    before = [*grid(3, 2)[1:], "(at 1 1 x)"]
    after = [*grid(3, 2)[:-1], "(at 3 2 x)"]
    others = grid(3, 2, "o")
    view = StateView([grid(3, 2), before])

    assert view.lines(after, before) == ["2 · ·[x]", "1[·]· ·", "  1 2 3"]
    assert view.lines(others, before) == ["2 o o o", "1 o o o", "  1 2 3"]


def test_marks_beside_each_other_share_a_bracket() -> None:
    """Lines keep their width."""
    before, after = grid(4, 2), ["(at 1 1 x)", "(at 2 1 x)", *grid(4, 2)]
    after = [fact for fact in after if fact not in {"(at 1 1 b)", "(at 2 1 b)"}]

    assert StateView([before]).lines(after, before)[1] == "1[x[x]· ·"


def test_brackets_are_close_to_what_they_mark() -> None:
    """Also where coordinates make the cells wide."""
    before = grid(10, 2)
    after = [*before[2:], "(at 1 1 x)", "(at 1 2 b)"]

    lines = StateView([before, after]).lines(after, before)

    assert lines[1].startswith("1 [x] ·  ·")


def test_the_gap_of_a_sliding_puzzle_is_blank() -> None:
    """The one content that is no number."""
    numbers = ["(cell 1 1 3)", "(cell 2 1 gap)", "(cell 1 2 1)", "(cell 2 2 2)"]

    assert StateView([numbers]).lines(numbers) == ["2 1 2", "1 3 ·", "  1 2"]


def test_what_can_be_taken_away_is_not_blank() -> None:
    """Chocolate that lies nearly everywhere is seen, once some of it has been eaten."""
    start = grid(3, 2, "chocolate")
    later = [fact for fact in start if not fact.startswith("(at 3")]

    assert StateView([start, later]).lines(later)[:2] == ["2 c c ·", "1 c c ·"]


def test_the_only_one_of_its_kind_stands_on_top() -> None:
    """A ghost on a dot is drawn as a ghost; both are told below."""
    start = [*(fact for fact in grid(4, 3, "dot") if fact != "(at 1 1 dot)"), "(at 1 1 me)"]
    later = [*start, "(at 2 1 ghost)"]

    lines = StateView([start, later]).lines(later)

    assert lines[2] == "1 m g · ·"
    assert " ".join(lines[-1].split()) == "(at 2 1 dot) (at 2 1 ghost)"


def test_what_is_believed_is_told_from_what_is_certain() -> None:
    """A question mark where something is uncertain, and beside it the percentages."""
    start = [*grid(3, 2), "(turn me)"]
    later = ["(at 1 1 x)", "(at 1 2 b)", "(at 2 1 o)", *grid(3, 2)[3:], "(turn you)"]
    certain = ["(at 1 1 x)", "(at 3 1 b)", "(at 3 2 b)", "(turn you)"]
    possible = {"(at 2 1 o)": 0.75, "(at 2 1 b)": 0.25, "(at 1 2 x)": 0.001, "(at 1 2 b)": 0.999}
    belief = dict.fromkeys(certain, 1.0) | possible | {"(angry me)": 0.996}

    lines = StateView([start, later]).belief_pieces(belief)

    assert [plain_text(line) for line in lines] == [
        "at               o in %           x in %",
        "2 ? · ·          2   ·   ·   ·    2  <1   ·   ·",
        "1 x ? ·          1   ·  75   ·    1 100   ·   ·",
        "  1 2 3              1   2   3        1   2   3",
        "(turn you)",
        "99% (angry me)",
    ]
    assert [piece.text for piece in lines[1] if piece.is_faint][:1] == ["?"]


def test_a_belief_without_doubt_is_drawn_as_the_state() -> None:
    """One board, with coordinates."""
    facts = [*grid(3, 2), "(turn me)"]

    lines = StateView([facts]).belief_pieces(dict.fromkeys(facts, 1.0))

    assert [plain_text(line) for line in lines] == StateView([facts]).lines(facts)
