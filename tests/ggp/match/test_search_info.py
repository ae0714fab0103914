"""A player's thoughts in words."""

from __future__ import annotations

import pytest

import gdl
from ggp.match.search_info import bounds, expectation, verdict
from ggp.players.thoughts import thoughts_on
from ggp.search.core import MoveValue, SearchResult

MOVE = gdl.Constant("go")


def result(lower: float, upper: float, length: int | None) -> SearchResult:
    """The result of a search of a game with one move."""
    best = MoveValue(MOVE, lower, 9, lower, upper, length)
    return SearchResult(MOVE, lower, 9, lower, upper, ((MOVE, MOVE),), (best,))


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (result(100, 100, 7), "proven win in 7 plies"),
        (result(100, 100, 1), "proven win in 1 ply"),
        (result(100, 100, None), "proven win"),
        (result(0, 0, 4), "proven loss in 4 plies"),
        (result(50, 50, 4), "proven: 50"),
        (result(0, 100, None), ""),
    ],
)
def test_a_solved_position_says_so(found: SearchResult, words: str) -> None:
    """A win and a loss with the plies to the end, where they are known."""
    assert verdict(thoughts_on(found)) == words


def test_bounds_are_told_where_something_is_proven() -> None:
    """From 0 to 100 is nothing."""
    assert bounds(thoughts_on(result(0, 100, None))) == ""
    assert bounds(thoughts_on(result(50, 100, None))) == "50 to 100"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ([["(mark 1 1)", "noop"], ["noop", "(mark 2 2)"]], "(mark 1 1), (mark 2 2)"),
        ([["rock", "paper"]], "rock paper"),
        ([["noop", "noop"]], "noop"),
        ([], ""),
        ("much", ""),
        (None, ""),
        ([7, ["a"]], "a"),
    ],
)
def test_the_expected_moves_are_told_without_those_who_wait(line: object, words: str) -> None:
    """Whatever a player of one's own says is bearable."""
    assert expectation({"line": line}) == words
