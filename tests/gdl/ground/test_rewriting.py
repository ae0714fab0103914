"""Long bodies become several short ones of the same meaning."""

from __future__ import annotations

import gdl
from gdl.ground.clauses import NewRelations, normalise
from gdl.ground.rewriting import split


def parts(text: str) -> list[str]:
    """The clauses of a rulesheet after splitting, as text."""
    new = NewRelations()
    clauses = split(normalise(gdl.read_kif(text), new), new)
    return [str(clause).replace("\0", "*") for clause in clauses]


def test_a_variable_is_eliminated() -> None:
    """A chain of three conditions becomes two of two."""
    assert parts("(<= (next (a ?x)) (true (p ?x ?y)) (true (q ?y ?z)) (true (r ?z)))") == [
        "(<= (*part1 ?y) (true (q ?y ?z)) (true (r ?z)))",
        "(<= (next (a ?x)) (true (p ?x ?y)) (*part1 ?y))",
    ]


def test_equal_parts_are_shared() -> None:
    """Whatever their variables are called."""
    text = (
        "(<= (next (a ?x)) (true (p ?x)) (true (q ?y)) (does ?r ?y))"
        "(<= (next (b ?x)) (true (p ?x)) (true (q ?z)) (does ?s ?z))"
    )

    heads = [clause.split(") (")[0] for clause in parts(text) if "part1 (" in clause]

    assert sum("*part1" in clause for clause in parts(text)) > len(heads)
    assert not any("*part3" in clause for clause in parts(text))


def test_a_short_body_stays_as_it_is() -> None:
    """A split from which nothing is gained is not made."""
    text = "(<= (next (a ?x)) (true (p ?x ?y)) (true (q ?x ?y)))"

    assert parts(text) == [text]


def test_a_part_binds_its_negated_variables() -> None:
    """A negation is never split off from the conditions that give its variables values."""
    text = "(<= (next (a ?x)) (true (p ?x ?y)) (true (q ?y ?z)) (not (true (r ?x ?z))))"

    for clause in parts(text):
        assert "(not (true (r ?x ?z)))" not in clause or "(p ?x ?y)" in clause


def test_a_domain_goes_along_to_bind_a_compared_variable() -> None:
    """So that a comparison with a variable of the head does not keep all others together."""
    text = (
        "(at 1) (at 2) (<= (next (a ?x ?y)) (does ?r (go ?u ?v)) (at ?x) (at ?y) (distinct ?x ?u))"
    )

    assert "(<= (*part2 ?x) (*part1 ?u) (at ?x) (distinct ?x ?u))" in parts(text)
