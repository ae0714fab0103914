"""Boards of forms that are seldom: one row, places only, boards within a board, heaps, towers."""

from __future__ import annotations

from ggp.boards.lines import find_lines
from ggp.boards.nested import find_nested
from ggp.boards.walk import find_marks
from ggp.drawing.piles import Piles


def test_line_needs_each_place_in_each_state() -> None:
    """Else it is a list of things, such as points that somebody has."""
    full = ["(pit 1 a)", "(pit 2 b)", "(pit 3 b)"]

    assert [line.columns for line in find_lines([full, full])] == [("1", "2", "3")]
    assert find_lines([full, full[:2]]) == ()
    assert find_lines([["(score alice 1)", "(score bob 2)", "(score carol 3)"]]) == ()


def test_marks_need_columns_and_rows() -> None:
    """Numbers of things, such as heaps, are no places."""
    assert find_marks([["(on 1 1)", "(on 1 3)", "(on 3 1)"]])[0].columns == ("1", "2", "3")
    assert find_marks([["(heap 1 3)", "(heap 2 5)", "(heap 3 7)"]]) == ()


def test_nested_boards_are_found_in_reading_order() -> None:
    """The upper left one first; each has its own cells."""
    facts = [f"(mark {i} {j} {m} {n} b)" for i in "12" for j in "12" for m in "123" for n in "123"]

    boards = find_nested([facts])

    assert [board.layout.board_name for board in boards] == ["1 2", "2 2", "1 1", "2 1"]
    assert boards[0].cells(["(mark 1 2 3 1 x)", "(mark 1 1 3 1 o)"]) == {("3", "1"): ["x"]}


def test_heaps_are_counted_within_bounds() -> None:
    """A heap of a million is drawn as far as there is room."""
    heaps = Piles("heap", "heaps", ("a", "b"), 5)

    assert heaps.contents(["(heap a 3)", "(heap b 1000000)", "(turn me)"]) == {
        "a": [""] * 3,
        "b": [""] * 5,
    }


def test_towers_have_the_largest_at_the_bottom() -> None:
    """Discs have numbers, the smallest first."""
    towers = Piles("on", "towers", ("a", "b"), 3)

    assert towers.contents(["(on 1 a)", "(on 3 a)", "(on 2 b)"]) == {"a": ["3", "1"], "b": ["2"]}
