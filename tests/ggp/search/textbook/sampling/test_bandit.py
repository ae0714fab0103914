"""UCB1 by hand."""

from __future__ import annotations

import math

import pytest

from ggp.search.textbook.sampling.bandit import best_arm, ucb1


@pytest.mark.parametrize(
    ("mean", "visits", "parent_visits", "expected"),
    [(20, 1, 1, 20.0), (10, 2, 3, 11.48), (10, 1, 3, 12.10), (0, 0, 3, math.inf)],
)
def test_ucb1_has_the_values_of_the_walk_through(
    mean: float, visits: int, parent_visits: int, expected: float
) -> None:
    """The lecture's four iterations, C = 2: 20 alone, then 11.48 against 12.10; new ones first."""
    assert round(ucb1(mean, visits, parent_visits, c=2), 2) == expected


def test_the_next_arm_is_the_one_with_the_highest_bound() -> None:
    """S2 in the fourth iteration; without exploration the first of equal means."""
    assert best_arm([20, 10], [2, 1], c=2) == 1
    assert best_arm([20, 10], [2, 1], c=0) == 0
    assert best_arm([100, 0], [1, 0], c=2) == 1
