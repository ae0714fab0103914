"""Calls in KIF: one finding for each place, whose cure is the form that is meant."""

from __future__ import annotations

import pytest

import gdl
from gdl.editing.renaming import edited

GAME = """\
(role w) (role b) (init s) (init (cell 1 1 b)) (succ 1 2) (won w) (goal w 100) (goal b 0)
(legal w a) (legal w (mark 1 1)) (legal b a) (<= (next s) (true s) (does w a) (does b a) (won w))
(<= (next (cell ?x ?y ?c)) (true (cell ?x ?y ?c)) (succ ?x 2)) (<= terminal (true s) (won w))
"""
CALLS = {
    "(<= ended true(s) & won(w))\n(<= terminal ended)": ["(true s)", "", "(won w)"],
    "(<= (next t) does(w,a), true(s))\n(<= terminal (true t))": ["(does w a)", "", "(true s)"],
    "(<= (next t) does(w mark(1 1)))\n(<= terminal (true t))": ["(does w (mark 1 1))"],
    "(<= (next t) (does w mark(1, 1)))\n(<= terminal (true t))": ["(does w (mark 1 1))"],
    "(<= terminal ~true(s))": ["(not (true s))"],
    "(<= terminal ! true(s))": ["(not (true s))"],
    "(<= terminal \\+won(w))": ["(not (won w))"],
    "(<= terminal not true(s))": ["(not (true s))"],
    "(<= terminal true(cell(1,1,b)))": ["(true (cell 1 1 b))"],
    "(<= terminal (true cell(1 1 b)))": ["(true (cell 1 1 b))"],
    "(<= terminal (true (cell(1 1 b))))": ["(true (cell 1 1 b))"],
    "(<= terminal (or true(s) won(w)))": ["(true s)", "(won w)"],
    "(<= terminal or(true(s), won(w)))": ["(or (true s) (won w))"],
    "(<= terminal (succ(1 2)))": ["(succ 1 2)"],
    "(<= terminal distinct(w b))": ["(distinct w b)"],
    "(<= terminal() (true s))": ["terminal"],
    "(<= legal(w go) (true s))": ["(legal w go)"],
    "(<= q(?x) (succ ?x 2))\n(<= terminal (q 1))": ["(q ?x)"],
    "(input(w a))": ["(input w a)"],
    "(goal(b mark(1 1)))": ["(goal b (mark 1 1))"],
    "role(c)\nlegal(c a)\ngoal(c 0)": ["(role c)", "(legal c a)", "(goal c 0)"],
    "succ(2,3). succ(3,4).": ["(succ 2 3)", "(succ 3 4)"],
}


@pytest.mark.parametrize("added", CALLS)
def test_each_call_is_one_finding_with_the_form_that_is_meant(added: str) -> None:
    """Nothing is said of its parts, nor of what is missing as it was not read."""
    text = GAME + added
    found = [one for one in gdl.check(text) if one.severity is not gdl.Severity.NOTE]

    assert [one.instead for one in found] == CALLS[added], found
    for _ in range(len(found)):
        document = gdl.document(text)
        cures = [document.cures(one) for one in document.diagnostics]
        text = edited(text, next(filter(None, cures))[0].edits)
    meant = [form for form in CALLS[added] if form]
    assert all(form in text for form in meant)
    left = {one.code for one in gdl.check(text) if one.severity is not gdl.Severity.NOTE}
    assert left <= {"goal-value", "always-holds", "undeclared"}, text  # true of what was meant


SOUND = [
    "(<= terminal(true s)(won w))",
    "(<= (q 1)(and(won w)(true s)))(<= terminal(q 1))",
    "(<= terminal(true(cell 1 1 b))(not(won w)))",
    "(<= open(true s))(<= terminal open(won w))",
    "(init(lamp(on 1)))(<= (next(lamp(on ?x)))(true(lamp(on ?x))))(<= terminal(true(lamp(on 1))))",
]


@pytest.mark.parametrize("added", SOUND)
def test_rules_without_blanks_are_no_calls(added: str) -> None:
    """They mean what they say."""
    assert [one for one in gdl.check(GAME + added) if one.severity is not gdl.Severity.NOTE] == []
