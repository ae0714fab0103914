"""Odd rulesheets: every reasoner makes the same of them, and never a fault of its own."""

from __future__ import annotations

import pytest

import gdl
from gdl.machine import goal_value

GAME = (
    "(role me) (init (s 0)) (n 0 1) (legal me go) (<= (m{nul} ?x ?y) (n ?x ?y))"
    "(<= (next (s ?y)) (true (s ?x)) (m{nul} ?x ?y)) (<= terminal (true (s 1))) (goal me {goal})"
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("0", 0),
        ("100", 100),
        ("-5", -5),
        ("+7", 7),
        ("999999999", 999_999_999),
        ("1" * 30, None),
        ("9" * 5000, None),
        ("--5", None),
        ("5.5", None),
        ("\u0665", None),
        ("high", None),
    ],
)
def test_goal_is_a_number_of_at_most_nine_digits(text: str, value: int | None) -> None:
    """Everything else is left out, so that it fits into the arrays of every search."""
    assert goal_value(gdl.Constant(text)) == value


@pytest.mark.parametrize("engine", ["interpreter", "scalar"])
@pytest.mark.parametrize("goal", ["1" * 30, "9" * 5000, "-" * 9 + "1"])
def test_goal_that_is_no_number_is_left_out(engine: gdl.Engine, goal: str) -> None:
    """By the plain reasoner and by the compiled one."""
    rules = gdl.read_kif(GAME.format(nul="", goal=goal))

    machine = gdl.load(rules, engine)

    assert machine.goals(machine.initial_state(), machine.roles[0]) == ()


@pytest.mark.parametrize("engine", ["interpreter", "scalar"])
@pytest.mark.parametrize("odd", ["\0", "'", "\\", "\udc80", "é"])
def test_relation_may_be_called_anything(engine: gdl.Engine, odd: str) -> None:
    """A name that is written in Python or C is quoted there."""
    machine = gdl.load(gdl.read_kif(GAME.format(nul=odd, goal=50)), engine)

    state = machine.next_state(machine.initial_state(), [gdl.read_term("go")])

    assert machine.is_terminal(state)
