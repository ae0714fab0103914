"""Statements to rules: lenient where the meaning is clear, a problem with its place where not."""

from __future__ import annotations

import pytest

import gdl


def rules(text: str) -> list[str]:
    """The rules of a text, each on one line."""
    return [str(rule) for rule in gdl.read_kif(text).rules]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(role x)", "(role x)"),
        ("(<= (p ?x) (q ?x) (not (r ?x)))", "(<= (p ?x) (q ?x) (not (r ?x)))"),
        ("(<= (p a))", "(p a)"),
        ("(<= p (terminal))", "(<= p terminal)"),
        ("(p (a))", "(p a)"),
        ("(<= p (and a (and b c)))", "(<= p a b c)"),
        ("(<= p (or a b))", "(<= p (or (and a) (and b)))"),
        ("(<= p (or (and a b) c))", "(<= p (or (and a b) (and c)))"),
        ("(<= p (or a))", "(<= p a)"),
        ("(<= p (or))", "(<= p (or ))"),
        ("(<= p (not (not a)))", "(<= p a)"),
        ("(<= p (not (or a b)))", "(<= p (not a) (not b))"),
        ("(<= p (not (and a b)))", "(<= p (or (and (not a)) (and (not b))))"),
        ("(<= p (not (distinct a b)))", "(<= p (not (distinct a b)))"),
        ("(<= (P ?X) (DISTINCT ?X ?x))", "(<= (P ?x) (distinct ?x ?x))"),
        ("(ROLE x)", "(role x)"),
        ("(-> (cell a) b)", "(-> (cell a) b)"),
    ],
    ids=repr,
)
def test_statement_is_read_as_this_rule(text: str, expected: str) -> None:
    """Negation is pushed inward, `and` is flattened, keywords are lower case."""
    assert rules(text) == [expected]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("()", "it.kif:1:1: expected a term, got an empty pair of parentheses"),
        ("(<=)", "it.kif:1:1: expected a head after '<='"),
        ("(<= ?x (p ?x))", "it.kif:1:5: expected a relation, got the variable ?x"),
        ("(<= p ?x)", "it.kif:1:7: expected a relation, got the variable ?x"),
        ("(<= (not p) q)", "it.kif:1:5: expected a relation, got the keyword 'not'"),
        ("(<= p (not))", "it.kif:1:7: 'not' takes 1 argument(s), got 0"),
        ("(<= p (distinct a))", "it.kif:1:7: 'distinct' takes 2 argument(s), got 1"),
        ("(<= p (<= q r))", "it.kif:1:7: a rule cannot stand inside a body"),
        ("(p ((a) b))", "it.kif:1:5: expected a symbol after '('"),
        ("(p a) (?f a)", "it.kif:1:8: expected a symbol after '('"),
        ("(:- (legal x a) b)", "it.kif:1:2: a rule begins with '<=', got ':-'"),
        ("(<== (next a) b)", "it.kif:1:2: a rule begins with '<=', got '<=='"),
    ],
    ids=lambda text: text.split(":")[0] if text.startswith("it.kif") else text,
)
def test_statement_without_meaning_is_a_problem_in_its_place(text: str, message: str) -> None:
    """The other statements are read all the same; reasoners refuse the rulesheet."""
    rulesheet = gdl.read_kif(text + "\n(role x)", "it.kif")

    assert [str(problem) for problem in rulesheet.problems] == [message]
    assert [str(role) for role in rulesheet.roles] == ["x"]
    with pytest.raises(gdl.RulesheetError):
        gdl.load(rulesheet)


def test_symbols_that_differ_only_in_case_are_one() -> None:
    """They are written as the legal rules write them, since moves are answered so."""
    rulesheet = gdl.read_kif("(init (Cell a)) (<= (legal x (Mark A)) (true (CELL a)))")

    assert [str(rule) for rule in rulesheet.rules] == [
        "(init (CELL A))",
        "(<= (legal x (Mark A)) (true (CELL A)))",
    ]


def test_roles_are_in_the_order_of_their_facts_and_named_once() -> None:
    """Joint moves use this order."""
    rulesheet = gdl.read_kif("(role b) (p) (role a) (role b) (<= (role c) (p))")

    assert [str(role) for role in rulesheet.roles] == ["b", "a"]


def test_definitions_tell_arities_apart() -> None:
    """A name with two numbers of arguments is two relations."""
    definitions = gdl.read_kif("(p a) (p a b) (p b)").definitions

    assert {str(name): len(found) for name, found in definitions.items()} == {"p/1": 2, "p/2": 1}
