"""Legal moves that a role cannot know are found by playing."""

from __future__ import annotations

import pytest

import gdl
from ggp import games
from tests.shared import require
from tests.thorough import all_but

COIN = """\
(role guesser) (role random)
(init (step 0)) (succ 0 1) (succ 1 2) (succ 2 3)
(side heads) (side tails)
(<= (legal random (flip ?s)) (side ?s) (true (step 0)))
(<= (legal random noop) (true (step ?n)) (distinct ?n 0))
(<= (legal guesser noop) (true (step ?n)) (distinct ?n 2))
(<= (legal guesser (guess ?s)) (side ?s) (true (step 2)))
(<= (legal guesser peek) (true (coin heads)) (true (step 2)))
(<= (next (coin ?s)) (does random (flip ?s)))
(<= (next (coin ?s)) (true (coin ?s)))
(<= (next (step ?n)) (true (step ?m)) (succ ?m ?n))
(<= (next right) (does guesser (guess ?s)) (true (coin ?s)))
(<= terminal (true (step 3)))
(<= (goal guesser 100) (true right))
(<= (goal guesser 0) (not (true right)))
"""
TOLD_AFTER = "(<= (sees guesser ?s) (does guesser (guess ?s)))"
TOLD_BEFORE = "(<= (sees guesser ?s) (does random (flip ?s)))"


def test_a_move_that_depends_on_what_is_hidden_is_named() -> None:
    """With the role, the step and the fact that it cannot know, at the rule; also steps later."""
    found = gdl.check_play(gdl.read_kif(COIN + TOLD_AFTER, "it.kif"))

    [one] = [one for one in found if one.code == "play-unknowable"]
    assert str(one).startswith(
        "it.kif:8:6: warning: role 'guesser' cannot know its legal moves after 2 steps of playout "
    )
    assert ": peek is legal with (coin heads) but not otherwise, although" in one.message


@pytest.mark.parametrize(
    "rules", [COIN + TOLD_BEFORE, COIN], ids=["what has been seen", "nothing is hidden"]
)
def test_a_move_that_depends_on_what_is_known_is_sound(rules: str) -> None:
    """By a percept, or as everything is seen."""
    found = gdl.check_play(gdl.read_kif(rules))

    assert "play-unknowable" not in {one.code for one in found}


HIDDEN = [name for name in games.names() if "(sees " in games.text(name)]
PUBLIC = ["mastermind", "meier", "montyhall", "transit", "kriegTTT_5x5"]


@pytest.mark.parametrize("name", all_but(["kuhnPoker", "darkHex3"], HIDDEN))
def test_moves_of_bundled_games_can_be_known(name: str) -> None:
    """No false alarm."""
    found = gdl.check_play(gdl.read_kif(games.text(name), name))

    assert "play-unknowable" not in {one.code for one in found}


@pytest.mark.parametrize("name", all_but(["montyhall"], PUBLIC))
def test_moves_of_public_rulesheets_can_be_known(name: str) -> None:
    """No false alarm."""
    path = require("corpus_gdl2", f"sjl_{name}.gdl")

    found = gdl.check_play(gdl.read_kif(path.read_text(encoding="utf-8"), path.name))

    assert "play-unknowable" not in {one.code for one in found}
