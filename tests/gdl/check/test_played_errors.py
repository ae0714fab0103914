"""Rulesheets with errors are played, or refused, as the page about the language says."""

from __future__ import annotations

import pytest

import gdl
from tests.gdl.check.examples import EXAMPLES, Example

PLAYED = "(role x) (init (s 0)) (legal x go) (<= (next (s 1)) (true (s 0))) (p 1) "
"""A game that may end after a move, if more rules say so."""


@pytest.mark.parametrize(
    ("code", "rules", "is_over"),
    [
        ("variable-fact", "(input ?r (take 1))", False),
        ("variable-fact", "(q ?n) (<= terminal (q 2))", True),
        ("unsafe-head", "(<= (legal x (mark ?n)) (p 1))", False),
        ("unsafe-not", "(<= terminal (not (true (s ?n))))", False),
        ("unsafe-not", "(<= terminal (not (true (t ?n))))", True),
        ("unsafe-distinct", "(<= terminal (p ?n) (distinct ?n ?m))", True),
        ("keyword-arity", "(<= (terminal 1) (p 1))", False),
        ("keyword-head", "(true (s 3)) (<= terminal (true (s 3)))", False),
        ("depends-on-moves", "(<= terminal (does x go))", False),
        ("depends-on-state", "(<= (init (s 5)) (true (s 0))) (<= terminal (true (s 5)))", False),
        ("negation-cycle", "(<= (q 1) (not (q 1)))", False),
    ],
)
def test_errors_that_are_played(code: str, rules: str, is_over: bool) -> None:
    """As the table on the page says, compiled or not."""
    rulesheet = gdl.read_kif(PLAYED + rules)
    assert code in {found.code for found in gdl.check(rulesheet)}
    for machine in (gdl.Interpreter(rulesheet), gdl.load(rulesheet)):
        state, [role] = machine.initial_state(), machine.roles
        assert list(map(str, machine.legal_moves(state, role))) == ["go"]
        assert machine.is_terminal(state) == is_over


@pytest.mark.parametrize(
    "rules", ["(role ?r)", "(init (at ?n))", "(legal x (mark ?n))", "(goal ?r ?n)"]
)
def test_errors_that_are_not_played(rules: str) -> None:
    """A fact says nothing of a variable; but `(legal ?r noop)` is asked for one role at a time."""
    rulesheet = gdl.read_kif(f"{PLAYED}\n{rules}", "it.kif")
    column = rules.rindex("?") + 1

    for play in (gdl.Interpreter, gdl.load, lambda it: gdl.load(it, "scalar")):
        with pytest.raises(gdl.RulesheetError, match="a fact cannot have the variable") as caught:
            play(rulesheet)
        assert str(caught.value).startswith(f"it.kif:2:{column}: ")
    assert "variable-fact" in {found.code for found in gdl.check(rulesheet)}
    assert gdl.check_play(rulesheet) == ()


REFUSED = [one for one in EXAMPLES if one.code in ("syntax", "statement", "no-role")]


@pytest.mark.parametrize("example", REFUSED, ids=lambda one: f"{one.code} {one.faulty[:30]}")
def test_nothing_is_played_where_the_page_says_so(example: Example) -> None:
    """Whatever check calls such an error, the readers and reasoners refuse."""
    with pytest.raises(gdl.GdlError):
        gdl.Interpreter(gdl.read_rules(example.faulty_text))
