"""The line that a player expects is followed as long as it comes true."""

from __future__ import annotations

import pytest

from ggp.engine.expected_line import ExpectedLine

THOUGHTS = {"line": [["a", "noop"], ["noop", "b"], ["c", "noop"]]}


def test_a_line_that_comes_true_tells_the_move_of_each_turn() -> None:
    """For every role, by its place."""
    line = ExpectedLine()
    line.learn(4, THOUGHTS)

    moves = [line.move(4, None, 0), line.move(5, ["a", "noop"], 1), line.move(6, ["noop", "b"], 0)]

    assert moves == ["a", "b", "c"]
    assert line.move(7, ["c", "noop"], 0) == ""


@pytest.mark.parametrize(
    ("turn", "joint_move"), [(5, ["d", "noop"]), (5, None), (6, ["noop", "b"]), (3, ["a", "noop"])]
)
def test_a_line_that_does_not_come_true_is_lost(turn: int, joint_move: list[str] | None) -> None:
    """Other moves, moves that are not known, turns that were left out, moves taken back."""
    line = ExpectedLine()
    line.learn(4, THOUGHTS)

    assert line.move(turn, joint_move, 1) == ""
    assert line.move(turn + 1, ["noop", "b"], 0) == ""


@pytest.mark.parametrize("thoughts", [{}, {"line": "a b"}, {"line": ["a", 1]}, {"line": [["a"]]}])
def test_thoughts_may_be_anything(thoughts: dict[str, object]) -> None:
    """Then nothing is expected of a role that they leave out."""
    line = ExpectedLine()

    line.learn(4, thoughts)

    assert line.move(4, None, 1) == ""
