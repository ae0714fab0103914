"""A tree written down becomes a game with the same moves and values."""

from __future__ import annotations

import pytest

import gdl
from ggp.lectures.trees import MAX, MIN, Scale, name_of, rulesheet, text, tree_of

TREE = tree_of("(A (B D=-1 E=3) C=1)")
SCALE = Scale(-1, 3)


def test_rulesheet_gives_no_finding() -> None:
    """A generated rulesheet is as well-formed as one that is written by hand."""
    found = gdl.check(text(TREE, SCALE, (MAX, MIN)), "tree")

    assert [str(one) for one in found] == []


def test_game_of_a_tree_follows_it() -> None:
    """Moves bear the names of the children, the roles move in turn, a leaf's value is a goal."""
    machine = gdl.Interpreter(rulesheet(TREE, SCALE, (MAX, MIN)))
    first, second = machine.roles
    root = machine.initial_state()
    moves = [str(move) for move in machine.legal_moves(root, first)]

    at_b = machine.next_state(
        root, [machine.legal_moves(root, first)[0], *machine.legal_moves(root, second)]
    )
    answers = machine.legal_moves(at_b, second)
    end = machine.next_state(at_b, [*machine.legal_moves(at_b, first), answers[1]])

    assert moves == ["B", "C"]
    assert name_of(machine, at_b) == "B"
    assert [str(move) for move in answers] == ["D", "E"]
    assert machine.is_terminal(end)
    assert [machine.goal(end, role) for role in (first, second)] == [100, 0]


def test_scale_turns_goals_back_into_values() -> None:
    """There and back again."""
    assert [SCALE.goal(value) for value in (-1, 0, 3)] == [0, 25, 100]
    assert [SCALE.written(goal) for goal in (0, 25, 100, float("-inf"))] == ["-1", "0", "3", "-∞"]


@pytest.mark.parametrize("value", [-2, 4])
def test_value_off_the_scale_is_refused(value: int) -> None:
    """A goal lies between 0 and 100."""
    with pytest.raises(ValueError, match="expected a value that stands for a whole goal"):
        SCALE.goal(value)
