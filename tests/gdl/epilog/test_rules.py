"""Slips that Gamemaster passes over: told, and without effect here as well."""

from __future__ import annotations

import pytest

import gdl

GAME = """
role(left) role(right)
base(p(R)) :- role(R) base(q(R)) :- role(R) base(control(R)) :- role(R)
init(control(left)) init(p(left))
legal(go) go :: p(left) ==> q(left)
terminal :- q(left)
goal(R,50) :- p(R)
"""
NEVER = "this rule never holds; did you mean a relation of R?"


def test_condition_without_its_parentheses_and_a_stray_sentence() -> None:
    """As in parallelbuttonsandlights: the rule never holds, the sentence says nothing."""
    text = GAME + "goal(R,25) :- p & R\n~q(R) & ~r(R)\ngoal(R,0) :- ~p(R) & ~q(R)\n"

    rules = gdl.read_epilog(text, "lights")
    machine = gdl.load(rules, "interpreter")
    state = machine.initial_state()
    warnings = [str(each) for each in gdl.check(rules) if each.code == "without-effect"]

    assert [machine.goal(state, role) for role in machine.roles] == [50, 0]
    assert [warning.partition(": warning: ")[::2] for warning in warnings] == [
        ("lights:8:19", f"R stands for a term, not a condition, so {NEVER}"),
        ("lights:9:1", "this sentence has no effect; is it a condition of the rule above?"),
    ]


@pytest.mark.parametrize(
    "rule", ["terminal :- p(left) & R", "terminal :- p(R) & ~R", "go :: R ==> p(left)"]
)
def test_a_variable_that_could_hold_is_refused(rule: str) -> None:
    """With every fact for its value, it would."""
    rules = gdl.read_epilog(GAME + rule, "lights")

    with pytest.raises(gdl.RulesheetError, match="got the variable"):
        gdl.load(rules, "interpreter")
