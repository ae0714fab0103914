"""The choice of a move at the root: what is proven first, then the figures."""

from __future__ import annotations

import pytest

import gdl
from ggp.search.core.result import MoveValue
from ggp.search.core.root import Bounds, floor_and_ceiling, is_decided, may_be_best, rank


def move(name: str, value: float, visits: int, lower: float = 0, upper: float = 100) -> MoveValue:
    """A move with its figures."""
    return MoveValue(gdl.Constant(name), value, visits, lower, upper)


def best(*moves: MoveValue, final: str = "visits") -> str:
    """The name of the move that is made."""
    floor, ceiling = floor_and_ceiling((each.lower, each.upper) for each in moves)
    return str(max(moves, key=lambda each: rank(each, floor, ceiling, final=final)).move)


def test_a_proven_best_move_is_made_whatever_the_figures() -> None:
    """It guarantees what no other may pass."""
    assert best(move("won", 100, 1, 100), move("tried", 99, 1000)) == "won"


@pytest.mark.parametrize(("value", "made"), [(49, "sure"), (51, "open")])
def test_a_guarantee_is_taken_unless_more_is_expected_elsewhere(value: float, made: str) -> None:
    """The other move may give more, and was looked at more often."""
    assert best(move("sure", 50, 10, 50, 50), move("open", value, 90)) == made


def test_the_final_rule_decides_between_moves_of_which_nothing_is_proven() -> None:
    """Most visits, or the best mean."""
    often, good = move("often", 50, 90), move("good", 60, 10)

    assert best(often, good) == "often"
    assert best(often, good, final="value") == "good"


def test_patience_comes_before_visits() -> None:
    """Where all is lost, the longest way."""
    soon, late = move("soon", 0, 90, 0, 0), move("late", 0, 10, 0, 0)

    assert rank(late, 0, 0, patience=9) > rank(soon, 0, 0, patience=2)


def test_a_proven_loss_is_never_hoped_for() -> None:
    """If the guarantee is a loss, who gives exactly that is no candidate."""
    assert not may_be_best((0, 0), floor=0)
    assert may_be_best((50, 50), floor=50)
    assert not may_be_best((0, 40), floor=50)


@pytest.mark.parametrize(
    ("bounds", "expected"),
    [
        ([(0, 100), (0, 100)], False),
        ([(100, 100), (0, 100)], True),
        ([(0, 0), (0, 100)], True),
        ([(50, 50), (0, 100)], False),
        ([(50, 50), (0, 50)], True),
    ],
)
def test_a_choice_is_decided_when_one_move_is_left(bounds: list[Bounds], expected: bool) -> None:
    """Or when one gives all that any may give."""
    assert is_decided(bounds) is expected
