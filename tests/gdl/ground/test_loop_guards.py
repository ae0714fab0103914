"""Loop guards: lists of what a path has passed are left out, and only where they change nothing."""

from __future__ import annotations

import random

import pytest

import gdl
from gdl.ground.clauses import NewRelations, normalise
from gdl.ground.loop_guards import without_loop_guards

pytestmark = pytest.mark.usefixtures("kernels")

_GAME = """
(role me) (cell 1 a) (cell 2 b) (cell 3 c) (cell 4 d)
(element a) (element b) (element c) (element d)
(near 1 2) (near 2 1) (near 2 3) (near 3 2) (near 3 4) (near 4 3) (near 4 1) (near 1 4)
(<= (legal me (put ?x)) (cell ?x ?e) (not (true (stone ?x))))
(<= (next (stone ?x)) (true (stone ?x)))
(<= (next (stone ?x)) (does me (put ?x)))
(<= (step ?x ?y) (near ?x ?y) (true (stone ?y)))
(<= (path ?x ?y ?passed) (cell ?x ?e) (added ?e ?passed ?now) (onwards ?x ?y ?now))
(<= (onwards ?x ?y ?now) (step ?x ?y) (places ?now))
(<= (onwards ?x ?y ?now) (step ?x ?z) (path ?z ?y ?now) (places ?now))
(<= terminal (true (stone 1)) (path 1 3 none))
(<= (goal me 100) terminal)
(<= (goal me 0) (not terminal))
(places none)
(<= (places (and ?e ?rest)) (element ?e) (places ?rest))
"""
_ADDED = """
(<= (added ?e none (and ?e none)) (element ?e))
(<= (added ?e (and ?f ?rest) (and ?f ?more))
    (element ?e) (element ?f) (distinct ?e ?f) (added ?e ?rest ?more))
"""


def _rules(text: str) -> list[str]:
    new = NewRelations()
    return [str(x) for x in without_loop_guards(normalise(gdl.read_kif(text), new), new)]


def test_a_list_of_places_is_left_out_with_all_that_it_needs() -> None:
    """What remains has neither the list nor the relations that only say what lists there are."""
    found = _rules(_GAME + _ADDED)

    assert not any(
        name in rule for rule in found for name in ("added", "places", "element", "none")
    )
    assert any("path" in rule for rule in found)


def test_the_circuit_plays_as_the_rules_say() -> None:
    """The interpreter reads the rules with their lists."""
    rules = gdl.read_kif(_GAME + _ADDED)
    slow, fast = gdl.load(rules, "interpreter"), gdl.load(rules, "scalar")
    rng = random.Random(1)
    for _ in range(30):
        states = [slow.initial_state(), fast.initial_state()]
        while not slow.is_terminal(states[0]):
            moves = slow.legal_moves(states[0], slow.roles[0])
            assert sorted(map(str, fast.legal_moves(states[1], fast.roles[0]))) == sorted(
                map(str, moves)
            )
            move = [rng.choice(moves)]
            states = [slow.next_state(states[0], move), fast.next_state(states[1], move)]
            assert fast.is_terminal(states[1]) == slow.is_terminal(states[0])


@pytest.mark.parametrize(
    ("old", "new"),
    [
        pytest.param("(distinct ?e ?f)", "(distinct ?e a)", id="an element is named"),
        pytest.param("(and ?e none)) (element", "(and ?e none)) (big ?e) (element", id="some only"),
        pytest.param("(path 1 3 none)", "(path 1 3 (and b none))", id="begins with one"),
        pytest.param("(path 1 3 none)", "(path 1 3 ?l) (true (list ?l))", id="asked about"),
        pytest.param("(cell 2 b)", "(cell 2 a)", id="two places are one element"),
        pytest.param("(path ?z ?y ?now)", "(path ?z ?w ?now) (near ?w ?y)", id="the end changes"),
        pytest.param("(step ?x ?y) (places ?now)", "(step ?x ?y) (true (l ?now))", id="a state"),
        pytest.param("(places none)", "(places (and a none))", id="not all lists are allowed"),
        pytest.param("(<= (added ?e (and", "(<= (added ?e (but", id="one place only"),
    ],
)
def test_what_may_make_a_difference_stays(old: str, new: str) -> None:
    """An argument is left out only if it is sure that it never keeps a path from being found."""
    text = (_GAME + _ADDED + "(big a) (big b)").replace(old, new)
    assert text != _GAME + _ADDED + "(big a) (big b)"

    assert any("path" in rule and "added" in rule for rule in _rules(text))
