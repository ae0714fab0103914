"""Trees of games are counted level by level, and the first difference of two is named."""

from __future__ import annotations

import json

import pytest

from ggp import games
from ggp.errors import GgpError
from ggp.sandbox import tree_questions

GAME = games.text("ticTacToe")
WRONG_GOAL = GAME.replace("(goal ?role 100)", "(goal ?role 90)")
STUCK = "(role me) (init (a 0)) (<= (legal me go) (true (a 0))) (next (a 1)) (goal me 0)"
STUCK += "(<= terminal (true (a 2)))"


def test_equal_states_of_a_level_are_counted_once() -> None:
    """Known figures of the game; joint moves are bounded, and what is not whole is left out."""
    found = tree_questions.perft(GAME, [], 4, 10_000, 60)
    cut = tree_questions.perft(GAME, [["(mark 2 2)", "noop"]], 9, 8 + 56, 60)

    assert [one["sequences"] for one in found["levels"]] == [9, 72, 504, 3024]
    assert [one["states"] for one in found["levels"]] == [9, 72, 252, 756]
    assert found["is_complete"]
    assert [one["sequences"] for one in cut["levels"]] == [8, 56]
    assert not cut["is_complete"]


def test_a_game_that_is_over_has_no_more_levels() -> None:
    """Fewer than were asked for, and these are all."""
    found = tree_questions.perft(games.text("rockPaperScissors"), [], 50, 100_000, 60)

    assert found["is_complete"]
    assert found["levels"][-1]["states"] == found["levels"][-1]["ends"]


def test_rules_that_leave_no_move_are_named() -> None:
    """Not counted as an end."""
    with pytest.raises(GgpError, match="without a legal move"):
        tree_questions.perft(STUCK, [], 3, 100, 60)


def test_the_first_difference_to_other_rules_has_the_moves_that_lead_there() -> None:
    """None to the same rules."""
    options = {"has_facts": False, "playouts": 20, "seed": 1, "seconds": 60.0}
    same = tree_questions.compare_rules(GAME, GAME, **options)  # type: ignore[arg-type]
    found = tree_questions.compare_rules(WRONG_GOAL, GAME, **options)  # type: ignore[arg-type]

    assert same["difference"] is None
    assert same["is_complete"]
    assert found["difference"]["what"].startswith("goals ")
    assert (found["difference"]["expected"], found["difference"]["got"]) == ("100", "90")
    assert len(found["moves"]) == found["difference"]["step"]


def test_what_is_no_trace_is_named_without_the_file_it_lay_in() -> None:
    """Nobody has a file of that name."""
    with pytest.raises(GgpError, match="trace") as caught:
        tree_questions.compare_trace(GAME, json.dumps({"a": 1}), has_facts=True, seconds=10)

    assert "/tmp" not in str(caught.value)
