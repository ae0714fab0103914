"""Odd rulesheets: every reasoner makes the same of them, and never a fault of its own."""

from __future__ import annotations

import pytest

import gdl
from gdl.machine import goal_value

pytestmark = pytest.mark.usefixtures("kernels")

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


# What random arms is seen and makes no difference to moves, goals and the end.
WIRES = """
(role a) (role random) (init (s 0)) (wire red) (wire blue) (n 0 1)
(<= (legal random (arm ?w)) (wire ?w)) (legal a wait)
(<= (next (armed ?w)) (does random (arm ?w))) (<= (next (s ?y)) (true (s ?x)) (n ?x ?y))
(<= (sees a ?w) (true (armed ?w))) (<= terminal (true (s 2))) (goal a 50) (goal random 0)
"""


def test_circuit_without_a_gate_still_tells_what_is_seen() -> None:
    """And facts, moves and goals, as the rules say."""
    slow, fast = gdl.load(WIRES, "interpreter"), gdl.load(WIRES, "scalar")
    assert fast.circuit is not None
    assert fast.circuit.netlist.num_gates == 0
    me, random = slow.roles
    seen = []

    states = [slow.initial_state(), fast.initial_state()]
    for wire in ("red", "blue", "blue", "red"):
        answers = []
        for index, game in enumerate((slow, fast)):
            state = states[index]
            legal = game.legal_moves(state, random)
            [arm] = [move for move in legal if str(move) == f"(arm {wire})"]
            moves = [game.legal_moves(state, me)[0], arm]
            percepts = [str(percept) for percept in game.percepts(state, moves, me)]
            answers.append((percepts, game.facts(state), legal, game.goals(state, me)))
            states[index] = game.next_state(state, moves)
        assert answers[0] == answers[1]
        seen += answers[0][0]

    assert seen == ["red", "blue", "blue"]


# The variables are written as in Prolog, so they are symbols: random has no move.
MOVELESS = WIRES.replace("?w", "W")


def test_rules_by_which_a_role_never_moves_are_not_compiled() -> None:
    """A circuit could only stand still, and count that as play; the reason says whose moves."""
    reason = "role 'random' never has a legal move"

    game = gdl.load(MOVELESS)

    assert (game.engine, game.reason, game.circuit) == ("interpreter", reason, None)
    for engine in ("scalar", "lanes"):
        with pytest.raises(gdl.GroundingError, match=reason):
            gdl.load(MOVELESS, engine)
