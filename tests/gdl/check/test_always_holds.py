"""Constants that lack their `?`."""

from __future__ import annotations

import pytest

import gdl

GAME = """\
(role x) (role o) (init (cell 1 1 b)) (init (cell 1 2 b)) (init (cell 2 2 b)) (init (control x))
(opponent x o) (opponent o x)
(<= (legal ?w (mark ?x1 ?y1)) (true (cell ?x1 ?y1 b)) (true (control ?w)))
(<= (legal ?w noop) (role ?w) (not (true (control ?w))))
(<= (next (cell ?x1 ?y1 ?w)) (does ?w (mark ?x1 ?y1)))
(<= (next (cell ?x1 ?y1 ?c)) (true (cell ?x1 ?y1 ?c)) (distinct ?c b))
(<= (next (cell ?x1 ?y1 b)) (true (cell ?x1 ?y1 b)) (does ?w (mark ?x2 ?y2)) (distinct ?x1 ?x2))
(<= (next (cell ?x1 ?y1 b)) (true (cell ?x1 ?y1 b)) (does ?w (mark ?x2 ?y2)) (distinct ?y1 ?y2))
(<= (next (control ?w)) (true (control ?v)) (opponent ?v ?w))
(<= terminal (not open))
(<= open (true (cell ?x ?y b)))
(<= (goal ?w 50) (role ?w))
"""


def found(text: str) -> dict[str, str]:
    """What each finding is about, and what is meant."""
    findings = gdl.check(gdl.read_kif(text, "it.kif"))
    source = ((one, one.span.source.text[one.span.start : one.span.end]) for one in findings)
    return {what: one.instead or one.code for one, what in source}


@pytest.mark.parametrize(
    ("right", "wrong", "expected"),
    [
        ("(next (cell ?x1 ?y1 ?w)) (does", "(next (cell ?x1 y1 ?w)) (does", {"y1": "?y1"}),
        ("(next (cell ?x1 ?y1 ?w)) (does", "(next (cell ?x1 Y1 ?w)) (does", {"Y1": "?y1"}),
        ("(next (cell ?x1 ?y1 ", "(next (cell ?x1 y1 ", {"y1": "?y1"}),  # in four rules
        ("(mark ?x1 ?y1)) (true", "(mark ?x1 y1)) (true", {"y1": "?y1"}),
        ("(distinct ?x1 ?x2)", "(distinct ?x1 x2)", {"x2": "?x2"}),
        ("(distinct ?x1 ?x2)", "(distinct x1 x2)", {"x1": "?x1", "x2": "?x2"}),
        ("(distinct ?x1 ?x2)", "(distinct p1 p2)", {"(distinct p1 p2)": "always-holds"}),
        ("(distinct ?x1 ?x2)", "(not (distinct x1 y9))", {"x1": "?x1"}),
        ("(true (cell ?x1 ?y1 ?c)) (dis", "(true (cell ?x1 y1 ?c)) (dis", {"y1": "?y1"}),
    ],
)
def test_a_constant_without_its_mark_is_named(
    right: str, wrong: str, expected: dict[str, str]
) -> None:
    """In heads, conditions, moves and comparisons, in one rule or in several."""
    faulty = found(GAME.replace(right, wrong))

    assert found(GAME) == {}
    assert wrong in GAME.replace(right, wrong)
    assert expected.items() <= faulty.items()
    assert not {"misspelt", "always-holds"} & (faulty.keys() - expected.keys())


@pytest.mark.parametrize(
    "text",
    [
        # marks with the names of variables: for the players, and for columns in two rules
        GAME.replace("?y1", "?o").replace("?x1", "?x"),
        GAME.replace("(next (cell ?x1 ?y1 ?w)) (does ?w", "(next (cell ?x1 ?y1 ?w)) (does ?w")
        + "(<= (next (box ?q q)) (does ?p (mark ?q ?y))) (<= (next (box ?q q)) (true (box ?q q)))"
        "(<= (goal x 100) (true (box 1 q)))",
    ],
)
def test_a_mark_called_like_a_variable_is_none(text: str) -> None:
    """It is named elsewhere, or stands where the variable cannot."""
    assert not {"misspelt", "always-holds"} & {one.code for one in gdl.check(gdl.read_kif(text))}


def test_a_variable_that_the_reader_of_epilog_adds_is_no_slip() -> None:
    """It has the place of the constant it was made of, so there is nothing else to write."""
    findings = gdl.document("role::init").diagnostics

    assert [one.code for one in findings if one.code == "misspelt"] == []
