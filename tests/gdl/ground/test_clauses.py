"""Rules become clauses of the same meaning."""

from __future__ import annotations

import gdl
from gdl.ground.clauses import NewRelations, normalise


def clauses(text: str) -> list[str]:
    """The clauses of a rulesheet's `next`, as text."""
    found = normalise(gdl.read_kif(text), NewRelations())
    return [str(clause).replace("\0", "*") for clause in found]


def test_a_disjunction_becomes_one_clause_per_branch() -> None:
    """Also inside another."""
    assert clauses("(<= (next a) (or (true b) (or (true c) (true d))))") == [
        "(<= (next a) (true b))",
        "(<= (next a) (true c))",
        "(<= (next a) (true d))",
    ]


def test_disjunctions_side_by_side_do_not_multiply() -> None:
    """Each becomes a relation between the variables that it shares."""
    assert clauses("(<= (next (a ?x)) (or (true ?x) (init ?x)) (or (true b) (true c)))") == [
        "(<= (*or1 ?x) (true ?x))",
        "(<= (*or1 ?x) (init ?x))",
        "(<= *or2 (true b))",
        "(<= *or2 (true c))",
        "(<= (next (a ?x)) (*or1 ?x) *or2)",
    ]


def test_an_equality_is_solved() -> None:
    """Variables take the values; what cannot be equal is left out."""
    assert clauses("(<= (next (a ?x)) (true (b ?y)) (not (distinct (f ?x) (f ?y))))") == [
        "(<= (next (a ?x)) (true (b ?x)))"
    ]
    assert clauses("(<= (next a) (not (distinct ?x (f ?x))))") == []


def test_comparisons_without_variables_are_decided() -> None:
    """A difference that holds is dropped with the comparison, one that does not with the rule."""
    assert clauses("(<= (next a) (distinct b c))") == ["(next a)"]
    assert clauses("(<= (next a) (true ?x) (distinct ?x ?x))") == []


def test_a_negation_with_a_free_variable_means_there_is_none() -> None:
    """It asks whether there is any such fact."""
    assert clauses("(<= (next (a ?x)) (true ?x) (not (true (p ?x ?y))))") == [
        "(<= (*some1 ?x) (true (p ?x ?y)))",
        "(<= (next (a ?x)) (true ?x) (not (*some1 ?x)))",
    ]


def test_an_open_role_stands_for_every_role() -> None:
    """Moves and goals are asked of a role."""
    assert clauses("(<= (goal ?r 100) (true won))") == ["(<= (goal ?r 100) (role ?r) (true won))"]


def test_rules_that_no_game_asks_for_are_left_out() -> None:
    """Neither `base` and `input` nor what only they need."""
    assert clauses("(<= (base (c ?x)) (index ?x)) (index 1) (next a)") == ["(next a)"]
