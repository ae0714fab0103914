"""Facts that stay though others take their place are found where the rule is that keeps them."""

from __future__ import annotations

import pytest

import gdl
from ggp import games
from tests.gdl.check.test_play_turns import DOTS

QUICK = gdl.PlayLimits(playouts=5, steps=60, seconds=10)


def doubled(text: str) -> list[gdl.Diagnostic]:
    """The findings of play about facts that stay."""
    found = gdl.check_play(gdl.read_kif(text, "it.kif"), QUICK)
    return [one for one in found if one.code == "play-doubled"]


@pytest.mark.parametrize(
    ("text", "exception", "both", "place"),
    [
        (
            games.text("ticTacToe"),
            "(not (marked ?column ?row))",
            "b) and (cell ",
            "first and second",
        ),
        (
            games.text("connectFour"),
            "(not (filled ?column ?row))",
            "b) and (cell ",
            "first and second",
        ),
        (DOTS, "(not (closed ?x))", "nobody) and (box ", "first"),
    ],
    ids=["ticTacToe", "connectFour", "dots and boxes"],
)
def test_a_rule_that_keeps_what_is_replaced_is_found(
    text: str, exception: str, both: str, place: str
) -> None:
    """The first case that is seen, and the condition that is missing."""
    assert text.count(exception) == 1

    [found] = doubled(text.replace(exception, ""))

    assert both in found.message
    assert f"' had the same {place} argument" in found.message
    rule = text[: found.span.start].rpartition("(<=")[2]
    assert rule.strip() == "("


@pytest.mark.parametrize("name", ["ticTacToe", "hex", "towersOfHanoi", "knightsTour", "nim"])
def test_sound_rules_are_left_alone(name: str) -> None:
    """What is replaced goes, and what only comes has no place."""
    assert doubled(games.text(name)) == []
    assert doubled(DOTS) == []


def test_a_rule_that_keeps_all_facts_is_found() -> None:
    """No exception, though the rule names no fact."""
    text = games.text("ticTacToe") + "(<= (next ?fact) (true ?fact))"

    found = doubled(text)

    assert [text[one.span.start :] for one in found] == ["next ?fact) (true ?fact))"]
    assert "b) and (cell " in found[0].message


STACKS = """\
(role white) (role black) (init (control white)) (init (count 0))
(init (stack 1 g grey)) (init (stack 2 g grey)) (init (top 1 g)) (init (top 2 g))
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 5) (above g h1) (above h1 h2) (above h2 h3)
(<= (legal ?p (put ?s)) (true (control ?p)) (true (top ?s ?h)) (above ?h ?i))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (stack ?s ?h ?c)) (true (stack ?s ?h ?c)))
(<= (next (stack ?s ?i ?p)) (does ?p (put ?s)) (true (top ?s ?h)) (above ?h ?i))
(<= (next (top ?s ?i)) (does ?p (put ?s)) (true (top ?s ?h)) (above ?h ?i))
(<= (next (top ?s ?h)) (true (top ?s ?h)) (not (put_on ?s)))
(<= (put_on ?s) (does ?p (put ?s)))
(<= (next (control ?p)) (role ?p) (not (true (control ?p))))
(<= (next (count ?m)) (true (count ?n)) (succ ?n ?m))
(<= terminal (true (count 5)))
(<= (goal ?p 100) (role ?p) (true (stack 1 h2 ?p)))
(<= (goal ?p 0) (role ?p) (not (true (stack 1 h2 ?p))))
"""
ON_TOP = "(<= (next (top"


@pytest.mark.parametrize(
    "text",
    [
        STACKS,
        STACKS.replace(" g", " 0").replace("h1", "1").replace("h2", "2").replace("h3", "3"),
        # the top is what nothing stands on; no fact names it
        "\n".join(line for line in STACKS.splitlines() if not line.startswith(ON_TOP)).replace(
            "(true (top ?s ?h))", "(true (stack ?s ?h ?x)) (above ?h ?j) (not (filled ?s ?j))"
        )
        + "(<= (filled ?s ?h) (true (stack ?s ?h ?c)))",
        # piles without heights, in which each player may have one thing
        STACKS.replace("(stack 1 g", "(stack 1")
        .replace("(stack 2 g", "(stack 2")
        .replace("(stack ?s ?h ", "(stack ?s ")
        .replace("(stack ?s ?i ", "(stack ?s ")
        .replace("(stack 1 h2", "(stack 1")
        .replace(
            "(above ?h ?i))\n(<= (legal ?p noop",
            "(true (stack ?s grey)) (not (true (stack ?s ?p))))\n(<= (legal ?p noop",
        ),
    ],
    ids=["names", "numbers", "top", "piles"],
)
def test_what_is_put_on_other_things_takes_no_place(text: str) -> None:
    """A stack keeps all that is in it."""
    assert doubled(text) == []
