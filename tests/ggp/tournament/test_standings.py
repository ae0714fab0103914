"""Wins, draws, losses and the interval around a mean goal."""

from __future__ import annotations

import pytest

from ggp.tournament.standings import Score, interval, tally


@pytest.mark.parametrize(
    ("score", "is_win", "is_draw"),
    [
        (Score(100, (0,)), True, False),
        (Score(50, (50,)), False, True),
        (Score(0, (100,)), False, False),
        (Score(30, (20, 10)), True, False),
        (Score(50, (50, 0)), False, True),
        (Score(50, (100, 0)), False, False),
        (Score(100), True, False),
        (Score(99), False, False),
    ],
)
def test_a_win_is_more_than_everybody_else(score: Score, is_win: bool, is_draw: bool) -> None:
    """A draw is as much as the best of the others; alone one wins with 100."""
    assert (score.is_win, score.is_draw) == (is_win, is_draw)


def test_a_standing_counts_each_match_once() -> None:
    """Wins, draws and losses add up to the matches."""
    standing = tally([Score(100, (0,)), Score(50, (50,)), Score(0, (100,)), Score(0, (100,))])

    assert (standing.wins, standing.draws, standing.losses) == (1, 1, 2)
    assert standing.mean_goal == 37.5


@pytest.mark.parametrize(
    ("wins", "matches", "low", "high"),
    [(10, 10, 72.2, 100.0), (0, 10, 0.0, 27.8), (19, 20, 76.4, 99.1), (50, 100, 40.4, 59.6)],
)
def test_the_interval_is_that_of_wilson(wins: int, matches: int, low: float, high: float) -> None:
    """Values of published tables of the Wilson score interval, in per cent."""
    found = interval(100 * wins / matches, matches)

    assert found == pytest.approx((low, high), abs=0.06)
