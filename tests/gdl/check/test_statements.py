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

    assert f"add a condition that binds it; or, to require that none exists, write {cure}" in str(
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
    assert "'next' may only be used in the head of a rule (also on line 3);" in found[0].message


def test_of_a_statement_that_is_not_closed_little_is_told() -> None:
    """Where a keyword has too many arguments a parenthesis is missing; the rest follows from it."""
    text = "(role x)\n(<= (p ?y)\n    (true (cell ?x)\n    (not (cell ?z)))\n(legal x)"

    found = [(one.code, one.span.line) for one in gdl.check(text)]

    assert found == [("syntax", 2), ("keyword-arity", 3), ("keyword-arity", 5)]


def test_a_keyword_that_is_misspelt_is_the_first_finding() -> None:
    """Nothing uses what the statement defines then; that there is no move comes of it."""
    rules = (
        "(role x) (leagl x go) (gaol x 100) (<= (nxt over) (true over)) (<= termnal (true over))"
    )

    found = gdl.check(rules)

    assert [one.instead for one in found[:4]] == ["legal", "goal", "next", "terminal"]
    codes = {"no-legal", "no-goal", "no-terminal", "undefined-fact"}
    assert {one.code for one in found[4:]} == codes


@pytest.mark.parametrize(
    ("rules", "meant"),
    [
        ("(closed 1 2) closes (<= (legal x go) (not (closde 1 2)) closes)", "closed"),
        ("(init (box 1 2)) (<= (legal x go) (true (bux 1 2)))", "box"),
    ],
)
def test_a_name_with_as_many_arguments_is_meant(rules: str, meant: str) -> None:
    """Rather than one that is as near; a short one may be wrong in a letter."""
    [found] = [x for x in gdl.check(f"(role x) {rules}") if x.code.startswith("undefined")]

    assert found.instead == meant


def test_comments_of_other_languages_are_told_how_to_begin() -> None:
    """Each of their words is a statement."""
    first, *_ = gdl.check("// chess\n(role x)")

    assert first.message.endswith("expected ';' before a comment")


@pytest.mark.parametrize(
    ("rule", "meant"),
    [
        ("(<= (legal ?r (mark ?x ?d)) (role ?r) (cell ?x ?e b))", "?e"),
        ("(<= (legal ?r (mark ?x ?d)) (role ?r) (cell ?x ?e ?b))", ""),
        ("(<= (p ?r) (role ?r) (cell ?r ?e b) (not (cell ?r ?f b)))", "?e"),
        ("(<= (p ?r) (role ?r) (cell ?r ?e b) (distinct ?r ?f))", "?e"),
        ("(<= (p ?r ?d) (role ?r) (cell ?r ?e b) (or (distinct ?r ?d) (b ?d)))", "?e"),
    ],
)
def test_the_only_variable_that_stands_once_may_be_meant(rule: str, meant: str) -> None:
    """For one that nothing binds."""
    [found] = [one for one in gdl.check(f"(role x) {rule}") if one.code.startswith("unsafe-")]

    asked = f" (or is {meant} meant, which occurs only once?)" if meant else ""
    assert found.message.split("; ")[1] == f"add a condition that binds it{asked}"


@pytest.mark.parametrize("apart", ["(distinct ?e ?d)", "(or (b ?r) (distinct ?d ?e))"])
def test_what_is_distinct_from_a_variable_is_not_meant_by_it(apart: str) -> None:
    """In both places it would be distinct from itself."""
    text = f"(role x) (<= (p ?r ?d) (role ?r) (cell ?r ?e b) {apart})"

    found = [one for one in gdl.check(text) if one.code == "unsafe-head"]

    assert [one.message.endswith("add a condition that binds it") for one in found] == [True]
    assert not found[0].instead


def test_nothing_is_distinct_from_itself() -> None:
    """The rule never holds, which a slip of a variable makes of it."""
    codes = {one.code for one in gdl.check("(role x) (<= (p ?r) (role ?r) (distinct ?r ?r))")}

    assert "never-holds" in codes


def test_a_cut_of_prolog_denies_nothing() -> None:
    """It is left out, and what follows stays as it is."""
    text = "(role x) (init (a 1)) (<= (next b) (true (a 1)) ! (not (true b)))"

    [message] = [one.message for one in gdl.check(text) if "'!'" in one.message]

    assert "a cut of Prolog has no meaning in GDL" in message


@pytest.mark.parametrize(
    ("statement", "expected"),
    [
        ("terminal", ["bare-word"]),
        ("(terminal)", ["bare-word"]),
        ("open (<= terminal open)", []),
        ("(open) (<= terminal open)", ["needless-parentheses"]),
        ("hello (<= terminal (true (step 1)))", ["bare-word"]),
    ],
)
def test_no_cure_is_what_the_next_finding_is_about(statement: str, expected: list[str]) -> None:
    """A proposition is written without parentheses, and is no stray word if a rule asks for it."""
    rules = "(role x) (legal x go) (goal x 0) (init (step 0)) (next (step 1))"

    found = [one for one in gdl.check(f"{rules} {statement}") if one.severity > gdl.Severity.NOTE]

    assert [one.code for one in found] == expected
    assert all("in parentheses, or" not in one.message for one in found)


def test_parentheses_around_a_symbol_are_told_once() -> None:
    """With the lines of the others."""
    text = "(role (x))\n(legal (x) go)\n(goal (x) 0)\n(<= (terminal) (true (a)))\n(next (a))"

    found = [one for one in gdl.check(text) if one.code == "needless-parentheses"]

    assert [one.message.partition(";")[0] for one in found] == [
        "the constant 'x' stands in parentheses (also on line 2, 3)",
        "the proposition 'terminal' stands in parentheses",
        "the constant 'a' stands in parentheses (also on line 5)",
    ]


@pytest.mark.parametrize(
    ("facts", "expected"),
    [
        ("(player p1) (player p2)", "(role p1) (role p2)"),
        ("(seat p1) (seat p2) (<= (legal ?p wave) (seat ?p))", "(role p1) (role p2)"),
        ("(square p1)", ""),
    ],
)
def test_roles_that_another_relation_names_are_written_as_roles(facts: str, expected: str) -> None:
    """Nothing but `role` names them; a quick fix adds the facts."""
    text = f"{facts} (legal p1 go) (legal p2 go) (goal p1 0) (goal p2 0) (<= terminal (true a))"
    document = gdl.document(text)
    [found] = [one for one in document.diagnostics if one.code == "no-role"]

    assert " ".join(found.instead.split()) == expected
    assert (f"so write {expected}" in found.message) == bool(expected)
    [cure] = document.cures(found)
    assert cure.title == f"Add {expected or '(role player)'}"


def test_a_role_that_another_relation_names_is_to_be_one() -> None:
    """The finding about its moves says which fact was meant to name it."""
    text = "(role p1) (player p2) (legal p1 go) (legal p2 go) (goal p1 0) (<= terminal (true a))"

    [found] = [one for one in gdl.check(text) if one.code == "unknown-role"]

    assert found.message.endswith("(player p2) does not make it one; write (role p2)")
