"""Facts that stay though others take their place are found where the rule is that keeps them."""

from __future__ import annotations

import pytest

import gdl
from ggp import games
from tests.gdl.check.test_turns import DOTS

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
    assert f"with the same {place} argument at first" in found.message
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
