"""Facts that need themselves are named, and not what follows from their absence."""

from __future__ import annotations

import pytest

import gdl

TURNS = """\
(role red) (role blue) (other red blue) (other blue red)
(init (step 0)) (succ 0 1)
(<= (legal ?p (draw ?n)) (true (control ?p)) (succ ?n ?m))
(<= (legal ?p noop) (true (control ?q)) (other ?q ?p))
(<= (next (line ?n)) (does ?p (draw ?n)))
(<= (next (line ?n)) (true (line ?n)))
(<= (next (control ?p)) (does ?q (draw ?n)) (other ?q ?p))
(<= terminal (true (line 0)))
(<= (goal ?p 50) (role ?p))
"""


def named(text: str) -> list[str]:
    """The facts that need themselves."""
    return [one.message.partition(" never")[0] for one in gdl.check(text) if one.code == "no-init"]


def test_the_first_turn_that_is_missing_is_named_alone() -> None:
    """Also where moves need it that it needs; lines are missing only as nobody moves."""
    assert named(TURNS) == ["(control ?a)"]
    assert named(TURNS + "(init (control red))") == []


@pytest.mark.parametrize(
    "rules",
    [
        "(<= (next ?f) (true ?f))",  # may keep anything
        "(int (control red))",  # is what is meant
        "(<= (next (control red)) (or (true (control blue)) (true (step 0))))",
        "(<= (next (control red)) (not (true (control blue))))",
        "(<= (next (control red)) (undefined 1))",  # has its own finding
    ],
)
def test_facts_that_may_be_made_otherwise_are_not_named(rules: str) -> None:
    """By any rule that does not need one."""
    assert named(TURNS + rules) == []


def test_of_facts_that_need_each_other_one_is_named() -> None:
    """Either would do."""
    rules = "(<= (next day) (true night))(<= (next night) (true day))(<= (next noon) (true day))"

    assert named(f"(role x) {rules}") == ["day"]
