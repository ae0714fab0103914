"""A statement that was misread hides only what it could have made."""

from __future__ import annotations

import pytest

import gdl

GAME = """\
(role x) (role o) (init (card n)) (init (cell 1 b)) (init (control x)) (goal x 50) (goal o 0)
(legal x go) (legal o go) (<= (next (cell 1 o)) (does x go) (does o go)) (succ 1 2)
(<= (next (cell ?m ?v)) (true (cell ?m ?v)) (succ ?m 2)) (<= (next (card ?n)) (true (card ?n)))
(<= (next (control x)) (true (control x))) (<= terminal (true (card n)) (true (control x)))
"""
CARD, CELL = "(<= terminal (card n))", "(<= terminal (true (cell 1 0)))"


@pytest.mark.parametrize(
    ("misread", "asked", "hint"),
    [
        ("(base card (n k))", CARD, "(true (card n))"),
        ("(input x card (n k))", CARD, "(true (card n))"),
        ("(<= (base card n) (succ 1 2))", CARD, "(true (card n))"),
        ("(goal x card n)", CARD, "(true (card n))"),
        ("(init card (n k))", CARD, "(true (card n))"),
        ("(base cell (1 0))", CELL, "nothing has '0'"),
        ("| x | o |\n+---+---+", CELL, "nothing has '0'"),
        ("x o 0", CELL, "nothing has '0'"),
        ("(input cell 0 1)", CELL, "nothing has '0'"),
        ("(input x (go 1) go)", "(<= terminal (true (go 1)))", "no 'init' or 'next' makes"),
        ("(legal x (go 1) now)", "(<= terminal (true (go 1)))", "no 'init' or 'next' makes"),
        ("(next (go 1) now)", "(<= (next t) (does x (go 1)))", "no 'legal' allows a move"),
        ("(<= (p ?n) (q ?n) (not))", "(<= terminal (q 1))", "nothing defines 'q'"),
    ],
)
def test_what_a_misread_statement_could_not_make_is_told(
    misread: str, asked: str, hint: str
) -> None:
    """`base` and `input` make nothing, nor do drawings; `legal` makes moves, and no facts."""
    found = gdl.check(f"{GAME}{misread}\n{asked}")

    assert any(hint in one.message for one in found), found


@pytest.mark.parametrize(
    ("misread", "asked"),
    [
        ("(init cell 1 0)", CELL),
        ("(<= (next cell 1 0) (true (card n)))", CELL),
        ("next(cell(1, X)) :- succ(1, X).", CELL),
        ("((next (cell 1 0)) (true (card n)))", CELL),
        ("(next (go 1) now)", "(<= terminal (true (go 1)))"),
        ("(legal x (hop 1) now)", "(<= (next t) (does x (hop 1)))"),
        ("(<= (q ?n) (succ ?n ?n) (not))", "(<= terminal (q 1))"),
        ("q(N):-succ(N,N).", "(<= terminal (q 1))"),
    ],
)
def test_what_it_could_have_made_is_not_told(misread: str, asked: str) -> None:
    """It is there as soon as the statement is mended."""
    found = [one for one in gdl.check(f"{GAME}{misread}\n{asked}") if one.severity > 1]

    assert {one.code for one in found} <= {"statement", "keyword-arity"}, found
    assert found
