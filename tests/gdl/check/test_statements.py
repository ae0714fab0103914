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

    assert f"add a condition that binds it; or for 'there is none at all' write {cure}" in str(
        found
    )
    helper = cure.partition(" and here ")[0]
    mended = gdl.read_kif(
        f"(role a) {helper} (<= (legal ?p go) (role ?p) {cure.split('here ')[1]})"
    )
    assert "unsafe-not" not in {one.code for one in gdl.check(mended)}


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        ("(<= (legal a (draw ?x)) (not (true (line ?x))))", ["unsafe-head"]),
        ("(<= (p a) (not (true (line ?x))) (not (edge ?x)))", ["unsafe-not", "unsafe-not"]),
    ],
)
def test_a_missing_condition_is_not_taken_for_none_at_all(rule: str, expected: list[str]) -> None:
    """What binds the variable elsewhere binds it under `not`, which is said once."""
    found = [one for one in gdl.check(f"(role a) {rule}") if one.code.startswith("unsafe")]

    assert [one.code for one in found] == expected
    assert not any("any_" in one.message for one in found)


def test_a_keyword_that_only_heads_may_use_is_named_once() -> None:
    """With the other lines."""
    rules = "(role a)\n(<= (p a) (next (s 1)))\n(<= (p a) (next (s 2)))\n(<= (p a) (sees a b))"

    found = [one for one in gdl.check(rules, "it") if one.code == "keyword-body"]

    assert [one.span.line for one in found] == [2, 4]
    assert "'next' stands in heads only (also on line 3);" in found[0].message


def test_a_keyword_that_is_misspelt_is_asked_for() -> None:
    """Nothing uses what the statement defines then."""
    rules = (
        "(role x) (leagl x go) (gaol x 100) (<= (nxt over) (true over)) (<= termnal (true over))"
    )

    said = " ".join(found.message for found in gdl.check(rules))

    for keyword in ("legal", "goal", "next", "terminal"):
        assert f"did you mean '{keyword}'?" in said


def test_comments_of_other_languages_are_told_how_to_begin() -> None:
    """Each of their words is a statement."""
    first, *_ = gdl.check("// chess\n(role x)")

    assert first.message.endswith("expected ';' before a comment")
