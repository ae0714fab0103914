"""Turns that come to several roles at once are found, and are not called facts that are lost."""

from __future__ import annotations

import pytest

import gdl
from ggp import games
from tests.thorough import all_but

DOTS = """\
(role ann) (role ben) (other ann ben) (other ben ann)
(init (control ann)) (init (box 1 nobody)) (init (box 2 nobody))
(side 1 a) (side 1 b) (side 1 c) (side 1 d) (side 2 d) (side 2 e) (side 2 f) (side 2 g)
(<= (edge ?e) (side ?x ?e))
(<= (legal ?p (draw ?e)) (true (control ?p)) (edge ?e) (not (true (line ?e))))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (lined ?e) (true (line ?e)))
(<= (lined ?e) (does ?p (draw ?e)))
(<= (next (line ?e)) (lined ?e))
(<= (missing ?x) (side ?x ?e) (not (lined ?e)))
(<= (closes ?p ?x) (does ?p (draw ?e)) (side ?x ?e) (true (box ?x nobody)) (not (missing ?x)))
(<= (closed ?x) (closes ?p ?x))
(<= closing (closed ?x))
(<= (next (box ?x ?p)) (closes ?p ?x))
(<= (next (box ?x ?w)) (true (box ?x ?w)) (not (closed ?x)))
(<= (next (control ?p)) (closes ?p ?x))
(<= (next (control ?q)) (true (control ?p)) (other ?p ?q) (not closing))
(<= open (true (box ?x nobody)))
(<= terminal (not open))
(<= (owns ?p) (true (box ?x ?p)))
(<= (goal ?p 100) (role ?p) (owns ?p))
(<= (goal ?p 0) (role ?p) (not (owns ?p)))
"""
"""Dots and boxes for two: whoever closes a box goes on."""


def turns_of(text: str) -> list[gdl.Diagnostic]:
    """The findings of play about turns, and about facts that are lost."""
    limits = gdl.PlayLimits(playouts=5, steps=100, seconds=20)
    found = gdl.check_play(gdl.read_kif(text, "it.kif"), limits)
    return [one for one in found if one.code in {"play-turns", "play-lost"}]


def test_two_who_have_the_turn_are_found() -> None:
    """Where each box asks for itself whether it is closed, one of them is not."""
    each = DOTS.replace("(not closing))", "(true (box ?x nobody)) (not (closed ?x)))")

    [found] = turns_of(each)

    assert found.code == "play-turns"
    assert found.message.startswith("there are (control ann) and (control ben) after step ")
    assert "make the conditions exclusive in the rules on line 16, 17" in found.message


def test_a_turn_that_nobody_has_is_found() -> None:
    """A case that the rules leave out."""
    nobody = DOTS.replace("(<= (next (control ?p)) (closes ?p ?x))\n", "")

    [found] = turns_of(nobody)

    assert found.message.startswith("there is no fact 'control' after step ")
    assert "cover every case in the rules on line" in found.message


def test_a_turn_that_is_kept_for_ever_is_found() -> None:
    """By a rule too many, as beginners write it; from the first step on all have the turn."""
    kept = games.text("ticTacToe") + "(<= (next (control ?p)) (true (control ?p)))"

    [found] = turns_of(kept)

    assert found.code == "play-turns"
    assert "there are (control oplayer) and (control xplayer) after step 1 of" in found.message


SOUND = {
    "dots": DOTS,
    **{name: games.text(name) for name in ("ticTacToe", "othello", "chomp", "kuhnPoker")},
}


@pytest.mark.parametrize("name", all_but(["dots", "chomp", "kuhnPoker"], SOUND))
def test_turns_that_change_hands_are_left_alone(name: str) -> None:
    """Whatever decides who goes on; also phases that come and go, as bundled games have them."""
    assert [one for one in turns_of(SOUND[name]) if one.code == "play-turns"] == []
    if name == "dots":
        assert turns_of(SOUND[name]) == []


def test_a_move_out_of_turn_is_found() -> None:
    """Where who has not the turn has a move of its own, the others' rule has forgotten the turn."""
    both = DOTS.replace("(draw ?e)) (true (control ?p))", "(draw ?e)) (role ?p)")

    [found] = turns_of(both)

    assert " made the move (draw " in found.message
    assert "add the condition (true (control ?role))" in found.message
    assert both.splitlines()[found.span.line - 1].startswith("(<= (legal ?p (draw ?e))")
