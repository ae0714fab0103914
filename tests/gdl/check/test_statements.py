"""Findings about single statements that say in the author's own words what to write."""

from __future__ import annotations

import pytest

import gdl


@pytest.mark.parametrize(
    ("condition", "cure"),
    [
        ("(not (true (line ?x)))", "(<= any_line (true (line ?x))) and here (not any_line)"),
        ("(not (edge ?p ?x))", "(<= (any_edge ?p) (edge ?p ?x)) and here (not (any_edge ?p))"),
    ],
)
def test_there_is_none_is_said_by_a_rule_of_its_own(condition: str, cure: str) -> None:
    """Of the fact's name, with the variables that have a value; else of any value."""
    rules = gdl.read_kif(f"(role a) (<= (legal ?p go) (role ?p) {condition})", "it.kif")

    [found] = [one for one in gdl.check(rules) if one.code == "unsafe-not"]

    assert f"for 'there is none' write {cure}; else add a condition" in found.message
    helper = cure.partition(" and here ")[0]
    mended = gdl.read_kif(
        f"(role a) {helper} (<= (legal ?p go) (role ?p) {cure.split('here ')[1]})"
    )
    assert "unsafe-not" not in {one.code for one in gdl.check(mended)}
