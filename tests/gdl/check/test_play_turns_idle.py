"""Roles that never have a choice are named, and why, but none that would have had one later."""

from __future__ import annotations

import pytest

import gdl
from ggp import games
from tests.thorough import all_but

TURNS = """\
(role red) (role blue) (init (control red)) (init (n 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(<= (legal ?p go) (true (control ?p))) (<= (legal ?p stay) (true (control ?p)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (n ?m)) (true (n ?n)) (succ ?n ?m))
(<= terminal (true (n 3))) (goal red 50) (goal blue 50)
"""


def idling(rules: str, playouts: int = 5) -> list[gdl.Diagnostic]:
    """The findings of play about roles without a choice."""
    limits = gdl.PlayLimits(playouts=playouts, steps=60)
    return [it for it in gdl.check_play(gdl.read_rules(rules), limits) if it.code == "play-idle"]


def test_a_turn_that_is_never_given_away_is_told_of_who_does_not_get_it() -> None:
    """With the fact that stays, and the rules to look at."""
    [found] = idling(TURNS + "(<= (next (control ?p)) (true (control ?p)))\n")

    assert found.message == (
        "blue never had a choice in 5 random games, but red did; (control red) stays true in every "
        "position, and no rule gives blue the turn; see line 6"
    )
    assert str(found.span).endswith(":6:6")


def test_another_reason_is_asked_for() -> None:
    """The turn comes, and there is one move only."""
    only_red = TURNS.replace("(<= (legal ?p go) (true (control ?p)))", "(legal red sing)")
    turns = "(<= (next (control ?q)) (true (control ?p)) (role ?q) (distinct ?p ?q))\n"

    [found] = idling(only_red + turns)

    assert found.message.endswith(
        ", but red did; check its 'legal' rules if it should have more than one move at some time"
    )
    assert str(found.span).endswith(":2:23")


def test_games_with_little_to_choose_are_left_alone() -> None:
    """One step of one role may be the whole of it."""
    turns = "(<= (next (control ?p)) (true (control ?p)))\n"

    assert idling(TURNS.replace("(true (n 3))", "(true (n 2))") + turns) == []


@pytest.mark.parametrize(
    "rules",
    [
        "(<= (next (control ?q)) (true (control ?p)) (role ?q) (distinct ?p ?q))",
        "(<= (next (control red)) (true (n 0))) (<= (next (control blue)) (true (n 1)))",
    ],
    ids=["turns", "late"],
)
def test_a_role_that_has_a_choice_in_the_end_is_left_alone(rules: str) -> None:
    """Also where it comes late."""
    assert idling(TURNS + rules) == []


def test_few_games_and_games_that_are_cut_short_tell_nothing() -> None:
    """Whoever has no choice in them may have one later."""
    rules = TURNS + "(<= (next (control ?p)) (true (control ?p)))\n"
    endless = rules.replace("(true (n 3))", "(true (n 9))") + "(next (n 1))"
    short = gdl.PlayLimits(steps=20)

    assert idling(rules, playouts=2) == []
    assert "play-idle" not in {it.code for it in gdl.check_play(gdl.read_kif(endless), short)}


@pytest.mark.parametrize("name", all_but(["ticTacToe", "connectFour"], games.names()))
def test_no_role_of_a_bundled_game_is_called_idle(name: str) -> None:
    """All of them are sound."""
    assert idling(games.text(name)) == []
