"""Unification of atoms, and what is said of relations that nothing defines."""

from __future__ import annotations

import pytest

import gdl
from gdl.check.depends_on import may_unify


@pytest.mark.parametrize(
    ("left", "right", "expected"),
    [
        ("a", "a", True),
        ("a", "b", False),
        ("a", "?x", True),
        ("(p a)", "a", False),
        ("(p ?x)", "(p ?x ?y)", False),
        ("(goal ?r 0)", "(goal ?r 100)", False),
        ("(goal ?r 100)", "(goal white ?n)", True),
        ("(p ?x ?x)", "(p a b)", False),
        ("(p ?x ?x)", "(p a ?y)", True),
        ("(p ?x b)", "(p a ?x)", True),
        ("(p ?x (f ?x))", "(p ?y ?y)", True),
        ("(p (f ?x) ?x)", "(p (f a) b)", False),
        ("(p ?x ?y ?x)", "(p ?a a b)", True),
        ("(p ?x ?y ?x ?y)", "(p ?a ?a a b)", False),
    ],
)
def test_atoms_unify_or_do_not(left: str, right: str, expected: bool) -> None:
    """Either way round; the same name left and right means two variables."""
    first, second = gdl.read_term(left), gdl.read_term(right)

    assert may_unify(first, second) is expected
    assert may_unify(second, first) is expected


def test_a_fact_that_a_misspelt_condition_was_meant_to_read_is_named_once() -> None:
    """At the condition, which is to be mended."""
    rules = "(role x) (init (step 1)) (legal x go) (<= terminal (true (stepp 1))) (goal x 100)"

    codes = [found.code for found in gdl.check(rules)]

    assert "undefined-fact" in codes
    assert "unread-fact" not in codes


@pytest.mark.parametrize(
    ("condition", "cure"),
    [
        ("(!= ?a ?b)", "(distinct ?a ?b) says that two are not the same"),
        ("(= ?a ?b)", "write the same variable in both places; (distinct ?a ?b) says that two"),
    ],
)
def test_comparisons_of_other_languages_are_told_as_gdl_has_them(condition: str, cure: str) -> None:
    """The rules may define one all the same."""
    rules = f"(role x) (succ 0 1) (<= (p ?a) (succ ?a ?b) {condition})"
    own = f"{rules} {condition.replace('?a ?b', '1 1')}"

    [found] = [one for one in gdl.check(rules) if one.code == "undefined"]

    assert f"so it never holds; {cure}" in found.message
    assert "undefined" not in [one.code for one in gdl.check(own)]
