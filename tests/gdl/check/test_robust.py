"""Whatever the text, reading gives rules or a `GdlError`, and checking gives findings."""

from __future__ import annotations

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import gdl
from tests.shared import REPOSITORY
from tests.thorough import all_but

WORDS = st.sampled_from(
    [
        "(",
        "(",
        "(",
        ")",
        ")",
        ")",
        "<=",
        "role",
        "init",
        "true",
        "does",
        "next",
        "legal",
        "goal",
        "terminal",
        "base",
        "input",
        "sees",
        "distinct",
        "not",
        "or",
        "and",
        "x",
        "y",
        "p",
        "q",
        "f",
        "0",
        "100",
        "101",
        "?x",
        "?y",
        "?X",
        "P",
        ";",
        ";c\n",
        "\n",
    ]
)
SOUP = st.lists(WORDS, max_size=60).map(" ".join)


GAME = (REPOSITORY / "games" / "ticTacToe.kif").read_text(encoding="utf-8")
GAME = "\n".join(line.partition(";")[0] for line in GAME.splitlines())
GAME = GAME.replace("(", " ( ").replace(")", " ) ")


def balanced(text: str) -> str:
    """The text with parentheses added until they match, so that more of it is understood."""
    lines = (line.partition(";")[0] for line in text.split("\n"))
    words = " ".join(lines).split()
    depth = 0
    kept: list[str] = []
    for word in words:
        if word == ")" and not depth:
            continue
        depth += (word == "(") - (word == ")")
        kept.append(word)
    return " ".join(kept + [")"] * depth)


@given(st.text() | SOUP | SOUP.map(balanced))
@settings(max_examples=30, deadline=None)
def test_any_text_is_checked_without_an_exception(text: str) -> None:
    """Authors and strangers write anything; each finding can be shown."""
    for found in gdl.check(text):
        assert str(found)
        assert len(found.picture().split("\n")) == 2


@given(st.data())
@settings(max_examples=20, deadline=None)
def test_damaged_rulesheet_is_checked_without_an_exception(data: st.DataObject) -> None:
    """Slips of the pen in a real game: words lost, doubled, or in the wrong place."""
    words = GAME.split()
    for _ in range(data.draw(st.integers(1, 8))):
        index = data.draw(st.integers(0, len(words) - 1))
        other = data.draw(st.sampled_from(words))
        words[index : index + data.draw(st.integers(0, 2))] = [other]
    text = balanced(" ".join(words))

    for found in gdl.check(text):
        assert found.picture()


@pytest.mark.parametrize("keyword", all_but(["(not "], ["(", "(not ", "(f ", "(<= (p ", "(or "]))
def test_ten_thousand_nested_groups_are_an_error(keyword: str) -> None:
    """Depth is bounded, so that no recursion fails."""
    findings = gdl.check(keyword * 10_000 + ")" * 10_000)

    assert [found.code for found in findings] == ["syntax"]
    assert "nest deeper than" in findings[0].message


def test_deepest_nesting_that_is_read_is_checked() -> None:
    """Just below the bound nothing fails."""
    text = "(role x)\n(<= (p a) " + "(not " * 90 + "(role x)" + ")" * 90 + ")"

    assert "wide-not" in {found.code for found in gdl.check(text)}


def negations(num: int) -> str:
    """Rules that negate what other rules make, as far as it is the same."""
    rules = (f"(<= (p a{number}) (not (p b{number})))\n" for number in range(num))
    return "(<= (p a) (not (p b)))\n" + "".join(rules)


@pytest.mark.parametrize(
    "text",
    [
        negations(90),
        pytest.param(negations(350), marks=pytest.mark.thorough),
        pytest.param(
            "".join(f"(<= (relation{n} a) (relation{n}x a))\n" for n in range(1500)),
            marks=pytest.mark.thorough,
        ),
        "(<= (p "
        + " ".join(f"?x{n}" for n in range(40))
        + ") (not (p "
        + " ".join(f"(g ?x{n} ?x{n})" for n in range(40))
        + ")))",
    ],
    ids=["some negations", "negations", "undefined names", "unification"],
)
def test_rules_made_to_be_slow_are_checked_in_time(text: str) -> None:
    """Rulesheets come from strangers; comparing their parts with each other is bounded."""
    begin = time.process_time()

    findings = gdl.check(text)

    assert findings
    assert time.process_time() - begin < 10


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "(role x)\n(<= (p ?x) (role ?x)\n(init a\n(<= (r ?y)\n  (role x))\n(s b)) )\n(t",
            [
                "2:1: error: this '(' is never closed",
                "3:1: error: this '(' is never closed",
                "4:8: error: variable ?y of the head is in no condition",
                "6:6: error: this ')' closes nothing; remove it",
                "6:8: error: this ')' closes nothing; remove it",
                "7:1: error: this '(' is never closed",
            ],
        ),
        (
            "(<= (p ?x)\n(role ?x))\n(q\n(r a)",
            ["3:1: error: this '(' is never closed"],
        ),
        (
            "(role x)\n(<= (p ?x ?y))\n  (q ?x)\n  (not (q ?y)))\n(r a)",
            [
                "2:11: error: variable ?y of the head is in no positive condition",
                "2:14: error: this ')' closes the rule too early; remove it",
            ],
        ),
        (
            "(<= (p ?x)) (q ?x)) (r ?x))\n(<= (p a)) (q a) (init b))\n(<= (p a)) (q (a)) (init b))",
            [
                "1:11: error: this ')' closes the rule too early; remove it",
                "1:19: error: this ')' closes the rule too early; remove it",
                "2:26: error: this ')' closes nothing; remove it",
                "3:28: error: this ')' closes nothing; remove it",
            ],
        ),
        (
            "role(x)\np(X) :- role(X\nq(a) :- & role(x)\nr(Y) :- role(x)\nt(\n",
            [
                "3:1: error: expected ',' or ')', got 'q'",
                "3:9: error: expected a term, got '&'",
                "4:3: error: variable Y of the head is in no condition",
                "6:1: error: expected a term, got the end of the text",
            ],
        ),
        ("role(x) $\np(a) ?", ["1:9: error: unexpected character", "2:6: error: unexpected '?'"]),
    ],
    ids=[
        "kif",
        "kif, conditions in column 1",
        "kif, closed early",
        "kif, twice",
        "epilog",
        "characters",
    ],
)
def test_all_faults_of_a_text_are_found_at_once(text: str, expected: list[str]) -> None:
    """Reading goes on with the next form in column 1, so that nobody has to ask again and again."""
    errors = [found for found in gdl.check(text, "it") if found.severity == gdl.Severity.ERROR]

    found = [str(each).removeprefix("it:") for each in errors]

    assert len(found) == len(expected)
    assert all(map(str.startswith, found, expected))


def test_a_text_full_of_faults_is_given_up() -> None:
    """Twenty are enough to work on."""
    findings = gdl.check("(\n" * 1_000)

    assert len([found for found in findings if found.code == "syntax"]) == 20
