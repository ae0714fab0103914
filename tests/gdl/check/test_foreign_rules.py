"""A rule with its arrow between head and conditions is one finding, with the rule of GDL for it."""

from __future__ import annotations

import pytest

import gdl
from gdl.editing.renaming import edited

GAME = """\
(role red) (role blue) (init (n 1)) (init (control red)) (succ 1 2) (succ 2 3) (goal red 50)
(legal red go) (legal blue go) (goal blue 50) (<= (next (n ?m)) (true (n ?n)) (succ ?n ?m))
(<= (next (control ?p)) (true (control ?p))) (<= terminal (true (n 3)))
"""
RULES = {
    "(legal ?p noop) :- (role ?p), !(true (control ?p))": (
        "(<= (legal ?p noop) (role ?p) (not (true (control ?p))))"
    ),
    "((legal ?p noop) :- (role ?p) (not (true (control ?p))))": (
        "(<= (legal ?p noop) (role ?p) (not (true (control ?p))))"
    ),
    "(legal ?p noop) <=\n    (role ?p)\n    (not (true (control ?p)))": (
        "(<= (legal ?p noop) (role ?p) (not (true (control ?p))))"
    ),
    "legal(P, noop) :- role(P), not(true(control(P))).": (
        "(<= (legal ?P noop) (role ?P) (not (true (control ?P))))"
    ),
    "next(over) :- true(n(X)), succ(X, Y), \\+ true(n(2)), X \\= Y.": (
        "(<= (next over) (true (n ?X)) (succ ?X ?Y) (not (true (n 2))) (distinct ?X ?Y))"
    ),
    "next(over) :- true(n(X)), !, succ(X,Y), !, \\+ true(n(2)).": (
        "(<= (next over) (true (n ?X)) (succ ?X ?Y) (not (true (n 2))))"
    ),
    "terminal if !(true (n 1)), (true (control red))": (
        "(<= terminal (not (true (n 1))) (true (control red)))"
    ),
}


@pytest.mark.parametrize("rule", RULES)
def test_the_rule_is_one_finding_and_its_cure_the_rule(rule: str) -> None:
    """What stands behind it is not taken for a part of it, nor is anything said of its parts."""
    text = f"{GAME}{rule}\n(succ 3 4)\n"
    document = gdl.document(text)

    [found] = [one for one in document.diagnostics if one.severity > 1]

    assert found.instead == RULES[rule]
    assert found.message.endswith("a rule is written (<= HEAD CONDITION ...)")
    [cure] = document.cures(found)
    after = edited(text, cure.edits)
    assert after == f"{GAME}{RULES[rule]}\n(succ 3 4)\n"
    assert not any(one.severity > 1 for one in gdl.check(after))


def test_two_such_rules_are_two_findings() -> None:
    """Each ends where the next one begins, also without a period."""
    text = "legal(P, a) :- role(P)\nlegal(P, b) :- role(P),\ntrue(n(1))\n"

    found = [one.instead for one in gdl.check(GAME + text)]

    assert found == [
        "(<= (legal ?P a) (role ?P))",
        "(<= (legal ?P b) (role ?P) (true (n 1)))",
    ]


def test_what_is_not_understood_stays() -> None:
    """Then the next check tells of it."""
    [found] = gdl.check(GAME + "next(over) :- true(n(N)), M is N + 1, succ(M, _).")

    assert found.instead == "(<= (next over) (true (n ?N)) ?M is ?N + 1 (succ ?M _))"


@pytest.mark.parametrize(
    "text",
    [
        *("terminal :-", ":- (succ 1 2)", "a :- :- b", ":- :-", "(:-)", "(a :-)"),
        *("and :- (succ 1 2)", "(and :- (succ 1 2))"),
    ],
)
def test_pieces_of_a_rule_are_no_error_of_the_check(text: str) -> None:
    """It reports what it can."""
    assert gdl.check(GAME + text)


@pytest.mark.parametrize(
    ("rule", "expected"),
    [
        (
            "over(X):-true(n(X)),role(P),\\+succ(X,P),X\\=P.",
            "(<= (over ?X) (true (n ?X)) (role ?P) (not (succ ?X ?P)) (distinct ?X ?P))",
        ),
        ("terminal :- over.", "(<= terminal over)"),
        ("terminal:-true(n(3)).", "(<= terminal (true (n 3)))"),
        ("(terminal):-(true (n 3))", "(<= terminal (true (n 3)))"),
        ("((over ?x):-(true (n ?x)))", "(<= (over ?x) (true (n ?x)))"),
        ("(terminal:-over)", "(<= terminal over)"),
        ("terminal\n:- !over, or(won(X), lost(X)).", ""),
        ("(terminal) <= (true (n 3))", "(<= terminal (true (n 3)))"),
        ("terminal if ~over & over", "(<= terminal (not over) over)"),
    ],
)
def test_what_check_calls_an_error_is_not_played(rule: str, expected: str) -> None:
    """Its head alone is no fact; arrows may be joined to words."""
    rulesheet = gdl.read_kif(f"{GAME}{rule}\n(<= over (true (n 2)))", "it")

    [found] = [one for one in gdl.check(rulesheet) if one.severity > 1]

    assert found.code == "statement"
    assert found.instead == (expected or "(<= terminal (not over) (or (won ?X) (lost ?X)))")
    for play in (gdl.Interpreter, gdl.load):
        with pytest.raises(gdl.RulesheetError, match=r"it:4:1: .*between head and conditions"):
            play(rulesheet)
    assert gdl.check_play(rulesheet) == ()


def test_a_directive_is_no_rule() -> None:
    """Its arrow stands behind the end of another statement."""
    rules = gdl.read_kif(f"{GAME}:- dynamic over")

    assert rules.refusal is None
