"""Degrees of truth: 1 for what holds, less for what does not, and rising on the way."""

from __future__ import annotations

import random

import pytest

import gdl
from gdl.structure.degrees import MISSING
from ggp import games

# Each move sets a fact that stays; the goals say what is to be tested.
RULES = """
(role r) (thing a) (thing b) (thing c) (thing d)
(<= (base (is ?x)) (thing ?x))
(<= (input r (set ?x)) (thing ?x))
(<= (legal r (set ?x)) (thing ?x))
(<= (next (is ?x)) (does r (set ?x)))
(<= (next (is ?x)) (true (is ?x)))
(init (is a))
(<= terminal (true (is a)) (true (is b)) (true (is c)) (true (is d)))
"""

Degrees = dict[int, float]


def degrees(rules: str, *facts: str) -> Degrees:
    """The degree of each goal of the role r where these facts are true."""
    rulesheet = gdl.read_rules(RULES + rules)
    machine = gdl.load(rulesheet, "scalar")
    found = machine.degrees()
    assert found is not None
    state = machine.state_of([gdl.read_term(f"(is {fact})", rulesheet) for fact in facts])
    values, _ = found.of(state)
    return {value: degree for (_, value), degree in zip(found.goals, values, strict=True)}


@pytest.fixture(scope="module", autouse=True)
def compiled(kernels: None) -> None:
    """The kernel that evaluates degrees."""
    degrees("(goal r 0)")


@pytest.mark.parametrize(
    ("body", "facts", "expected"),
    [
        ("(true (is b))", "a", MISSING),
        ("(true (is b))", "a b", 1),
        ("(true (is b)) (true (is c))", "a", MISSING**2),
        ("(true (is b)) (true (is c))", "a b", MISSING),
        ("(true (is b)) (true (is c))", "a b c", 1),
        ("(or (true (is b)) (true (is c)))", "a", 1 - (1 - MISSING) ** 2),
        ("(or (true (is b)) (true (is c)))", "a c", 1),
        ("(not (true (is b)))", "a b", MISSING),
        ("(not (true (is b)))", "a", 1),
        ("(not (true (is b))) (true (is c))", "a b", MISSING**2),
    ],
)
def test_degrees_are_those_of_fuzzy_logic(body: str, facts: str, expected: float) -> None:
    """Product, probabilistic sum, and negation that exchanges true and false."""
    found = degrees(f"(<= (goal r 100) {body}) (goal r 0)", *facts.split())

    assert found[100] == pytest.approx(expected)


def test_recursion_is_followed() -> None:
    """A chain whose middle is missing is as near as its missing links."""
    rules = """
    (link a b) (link b c) (link c d)
    (<= (on a) (true (is a)))
    (<= (on ?y) (on ?x) (link ?x ?y) (true (is ?y)))
    (<= (goal r 100) (on d)) (goal r 0)
    """

    assert degrees(rules, "a", "b", "c", "d")[100] == 1
    assert degrees(rules, "a", "b", "d")[100] == pytest.approx(MISSING)
    assert degrees(rules, "a")[100] == pytest.approx(MISSING**3)


@pytest.mark.parametrize("game", ["ticTacToe", "hex", "goofspiel", "lightsOut"])
def test_a_degree_is_1_exactly_where_the_goal_holds(game: str) -> None:
    """In states of random games and at their ends; else it is between 0 and 1."""
    machine = gdl.load(games.text(game))
    found = machine.degrees()
    assert found is not None
    for state in random_walk(machine):
        values, end = found.of(state)

        assert all(0 <= value <= 1 for value in [*values, end])
        assert (end == 1) == machine.is_terminal(state)
        for (role, goal), degree in zip(found.goals, values, strict=True):
            assert (degree == 1) == (goal in machine.goals(state, machine.roles[role]))


@pytest.mark.parametrize(("game", "stone"), [("ticTacToe", "x"), ("hex", "red")])
def test_a_piece_more_never_lowers_the_degree_of_winning(game: str, stone: str) -> None:
    """In any place that is empty, with recursion and without."""
    machine = gdl.load(games.text(game))
    rulesheet, found = machine.rulesheet, machine.degrees()
    assert rulesheet is not None
    assert found is not None
    winning = found.goals.index((0, 100))
    facts = {str(fact): fact for fact in machine.facts(random_walk(machine)[4])}
    before = found.of(machine.state_of(facts.values()))[0][winning]
    taken = [text for text in facts if text.startswith("(cell") and not text.endswith(" b)")]

    for place in (f"(cell {column} {row} " for column in "123" for row in "123"):
        if not any(text.startswith(place) for text in taken):
            rest = [fact for text, fact in facts.items() if not text.startswith(place)]
            more = machine.state_of([*rest, gdl.read_term(f"{place}{stone})", rulesheet)])

            assert found.of(more)[0][winning] >= before


def test_games_that_are_not_compiled_have_no_degrees() -> None:
    """The interpreter has no circuit."""
    assert gdl.load(games.text("ticTacToe"), "interpreter").degrees() is None


def random_walk(machine: gdl.Game) -> list[gdl.State]:
    """The states of one random game, its end included."""
    rng = random.Random(3)
    states = [machine.initial_state()]
    while not machine.is_terminal(states[-1]):
        joint = [rng.choice(machine.legal_moves(states[-1], role)) for role in machine.roles]
        states.append(machine.next_state(states[-1], joint))
    return states
