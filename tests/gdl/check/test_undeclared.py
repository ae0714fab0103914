"""What `base` and `input` leave out."""

from __future__ import annotations

import pytest

import gdl

GAME = """\
(role a) (role b) (index 1) (index 2) (index 3) (succ 1 2) (succ 2 3)
(base over) (<= (base (at ?n)) (index ?n))
(<= (input ?r (go ?n)) (role ?r) (index ?n)) (<= (input ?r noop) (role ?r))
(init (at 1))
(<= (legal a (go ?n)) (true (at ?m)) (succ ?m ?n))
(legal b noop)
(<= (next (at ?n)) (does a (go ?n)))
(<= (next over) (does a (go 3)))
(<= terminal (true over))
(goal a 100) (goal b 100)
"""


def codes(text: str) -> set[tuple[str, str]]:
    """The codes of all findings about declarations, and their lines."""
    rules = gdl.read_kif(text)
    found = (*gdl.check(rules), *gdl.check_play(rules, gdl.PlayLimits(playouts=2)))
    declared = [one for one in found if one.code.endswith("undeclared")]
    lines = text.splitlines()
    return {(one.code, lines[one.span.line - 1].split(")")[0]) for one in declared}


@pytest.mark.parametrize(
    ("left_out", "instead", "expected"),
    [
        ("(<= (input ?r noop) (role ?r))", "", {("undeclared", "(legal b noop")}),
        ("(input ?r noop) (role ?r)", "(input a noop) (role a)", {("undeclared", "(legal b noop")}),
        ("(base over) ", "", {("undeclared", "(<= (next over")}),
        ("(base (at ?n)) (index ?n)", "(base (on ?n)) (index ?n)", {("undeclared", "(init (at 1")}),
        (
            "(role ?r) (index ?n)",
            "(role ?r) (succ ?n 3)",
            {("play-undeclared", "(<= (legal a (go ?n")},
        ),
        (
            "(base (at ?n)) (index ?n)",
            "(base (at ?n)) (succ ?n ?m)",
            {("play-undeclared", "(<= (next (at ?n")},
        ),
    ],
)
def test_what_is_left_out_is_named(
    left_out: str, instead: str, expected: set[tuple[str, str]]
) -> None:
    """By the text where no values can fit, else by random games."""
    assert codes(GAME) == set()
    assert codes(GAME.replace(left_out, instead)) >= expected


def test_rules_without_declarations_are_complete() -> None:
    """The language does not require them."""
    text = "\n".join(
        line for line in GAME.splitlines() if "base" not in line and "input" not in line
    )

    assert codes(text) == set()
