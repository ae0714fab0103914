"""Moves are read from answers of any form, and nothing is read that was not said."""

from __future__ import annotations

import pytest

from ggp.language_models.reading import nearest, read_move
from ggp.naming.move_names import MoveNames

LEGAL = ["(mark 1 1)", "(mark 1 2)", "(move (a 1) (b 2))", "noop"]


@pytest.mark.parametrize(
    ("answer", "move"),
    [
        ("MOVE: (mark 1 2)", "(mark 1 2)"),
        ("MOVE: (mark 1 1)\nNo, better:\nMOVE: (mark 1 2)", "(mark 1 2)"),
        ("move: MARK 1 2", "(mark 1 2)"),
        ("MOVE: ((mark 1 2))", "(mark 1 2)"),
        ("MOVE: (mark 1 2", "(mark 1 2)"),
        ("MOVE: mark(1, 2)", "(mark 1 2)"),
        ("MOVE: 2", "(mark 1 2)"),
        ("MOVE: 2.", "(mark 1 2)"),
        ("**MOVE: `noop`**", "noop"),
        ("MOVE: (noop)", "noop"),
        ("MOVE: $\\boxed{(mark 1 2)}$ as said", "(mark 1 2)"),
        ("MOVE: (MOVE (A 1) (B 2))", "(move (a 1) (b 2))"),
        ("Not (mark 1 1) but (mark 1 2) is best.", "(mark 1 2)"),
        ("2", "(mark 1 2)"),
        ("I think.\nMOVE:\n(mark 1 2)", "(mark 1 2)"),
    ],
)
def test_a_legal_move_is_read(answer: str, move: str) -> None:
    """By its last `MOVE:`, or else where it is named last."""
    assert read_move(answer, LEGAL).move == move


@pytest.mark.parametrize(
    ("answer", "understood"),
    [
        ("MOVE: (mark 9 9)", "(mark 9 9)"),
        ("(mark 1 1) is fine.\nMOVE: (mark 9 9)", "(mark 9 9)"),
        ("MOVE: 5", "5"),
        ("MOVE: 0", "0"),
        ("I have 2 ideas", ""),
        ("So it is:\n(mark 9 9)", "(mark 9 9)"),
        ("", ""),
        ("(" * 100_000, "(" * 200),
    ],
)
def test_what_is_not_legal_is_said_as_it_was_understood(answer: str, understood: str) -> None:
    """An illegal `MOVE:` is not mended by a legal move elsewhere."""
    reading = read_move(answer, LEGAL)

    assert (reading.move, reading.understood) == (None, understood)


@pytest.mark.parametrize(
    ("said", "move"),
    [
        ("take 2 from heap A", "(take a 2)"),
        ("take 2", None),  # from which heap?
        ("b", "(take b 2)"),
        ("7", None),  # a wrong number of the list, not the move's argument
        ("take 9 from heap a", None),
        ("I cannot take 2 from heap a", None),
    ],
)
def test_a_name_is_read_where_one_move_alone_is_meant(said: str, move: str | None) -> None:
    """What names no move, or several, is illegal as before."""
    legal = ["(take a 2)", "(take b 2)", "(take a 7)"]
    names = MoveNames.of_states([["start"]], [], ";;@move (take ?h ?n): take ?n from heap ?h")

    assert read_move(f"MOVE: {said}", legal, names).move == move
    assert read_move(f"MOVE: {said}", legal).move is None


def test_a_move_that_is_a_number_is_meant_before_a_number_of_the_list() -> None:
    """`2` is the move, and not the second one."""
    assert read_move("MOVE: 2", ["2", "3"]).move == "2"


def test_moves_that_case_alone_distinguishes_are_read_exactly() -> None:
    """And nothing is guessed between them."""
    assert read_move("MOVE: (go A)", ["(go A)", "(go a)"]).move == "(go A)"
    assert read_move("MOVE: (GO a)", ["(go A)", "(go a)"]).move is None


def test_the_nearest_moves_come_first() -> None:
    """By form."""
    assert nearest("(mark 1 3)", LEGAL, 2) == ["(mark 1 2)", "(mark 1 1)"]
