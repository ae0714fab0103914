"""Results of several trees, merged."""

from __future__ import annotations

import pytest

import gdl
from ggp.search.core.result import MoveValue, SearchResult
from ggp.search.fast.tree.parallel import is_decided, merged

RULES = gdl.read_kif("(role r) (legal r a) (legal r b) (legal r c)", "moves")
A, B, C = (gdl.read_term(name, RULES) for name in "abc")


def result(*moves: MoveValue) -> SearchResult:
    """A tree's result; its line is the first move."""
    best = moves[0]
    visits = sum(move.visits for move in moves)
    return SearchResult(best.move, best.value, visits, line=((best.move,),), moves=moves)


def test_visits_and_sums_are_added() -> None:
    """A move's value is the mean of all its visits, in whichever tree they were."""
    one = result(MoveValue(A, 60, 30), MoveValue(B, 50, 10))
    other = result(MoveValue(B, 80, 50), MoveValue(A, 20, 10))

    both = merged([one, other])

    assert (both.move, both.visits) == (B, 100)
    assert both.moves == (MoveValue(B, 75, 60), MoveValue(A, 50, 40))
    assert both.line == ((B,),)


def test_the_sharpest_bounds_hold() -> None:
    """What any tree has proven is proven, and values keep to it."""
    one = result(MoveValue(A, 60, 30, 0, 50), MoveValue(B, 50, 10, 40, 100))
    other = result(MoveValue(A, 70, 30, 30, 100), MoveValue(B, 10, 10, 0, 90))

    both = {each.move: each for each in merged([one, other]).moves}

    assert (both[A].lower, both[A].upper, both[A].value) == (30, 50, 50)
    assert (both[B].lower, both[B].upper, both[B].value) == (40, 90, 40)


def test_what_is_proven_comes_before_what_was_visited() -> None:
    """A win that one tree has proven is played, however much the others looked elsewhere."""
    one = result(MoveValue(A, 100, 5, 100, 100), MoveValue(B, 50, 10))
    other = result(MoveValue(B, 90, 5000), MoveValue(A, 10, 5))

    assert merged([one, other]).move is A
    assert merged([other, one]).move is A


def test_a_tree_that_is_sure_leads() -> None:
    """Among proven losses its order stands: it knows which lasts longest."""
    sure = result(MoveValue(B, 0, 5, 0, 0), MoveValue(A, 0, 50, 0, 0))
    other = result(MoveValue(A, 10, 500), MoveValue(B, 20, 100))

    assert merged([other, sure], leader=1).move is B


@pytest.mark.parametrize(
    ("one", "other", "decided"),
    [
        ([(0, 100), (0, 0), (0, 100)], [(0, 0), (0, 100), (0, 100)], True),
        ([(0, 50), (0, 100)], [(50, 100), (0, 50)], True),
        ([(0, 100), (0, 0), (0, 100)], [(0, 100), (0, 0), (0, 100)], False),
        ([(0, 0), (0, 100)], [(0, 100), (0, 0)], True),
    ],
    ids=["two refuted apart", "a bound met from both sides", "two are left", "all is lost"],
)
def test_proofs_of_several_trees_decide_together(
    one: list[tuple[float, float]], other: list[tuple[float, float]], decided: bool
) -> None:
    """A move is decided by bounds of which each may come from another tree."""
    assert is_decided([one, other]) is decided
