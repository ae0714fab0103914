"""The four iterations of the walk-through: what is selected, by which bounds, and the sums."""

from __future__ import annotations

import math

import pytest

from ggp.lectures import ucb1
from ggp.lectures.sketch import draw


def test_bounds_are_those_of_the_article() -> None:
    """20 and infinity in the second iteration, 11.48 and 12.10 in the fourth."""
    found = list(ucb1.iterations())

    bounds = [(one.bounds["S1"], one.bounds["S2"]) for one in found]

    assert bounds[0] == (math.inf, math.inf)
    assert bounds[1] == (20.0, math.inf)
    assert bounds[2] == pytest.approx((21.67, 11.67), abs=0.005)
    assert bounds[3] == pytest.approx((11.48, 12.10), abs=0.005)


def test_each_iteration_goes_where_the_article_goes() -> None:
    """S1, S2, S3 below S1, S5 below S2; rollouts of 20, 10 and 0."""
    found = list(ucb1.iterations())

    assert [one.path for one in found] == [
        ("S0", "S1"),
        ("S0", "S2"),
        ("S0", "S1", "S3"),
        ("S0", "S2", "S5"),
    ]
    assert [one.expanded for one in found] == ["", "", "S1", "S2"]
    assert [one.rollout for one in found] == [20, 10, 0, 10]


def test_tree_of_the_third_iteration_has_the_sums() -> None:
    """Every rollout is added to the nodes on its way."""
    third = list(ucb1.iterations())[2]

    assert draw(third.picture) == [
        "S0 t=30 n=3",
        "├── S1 t=20 n=2 *   UCB1 21.67",
        "│  ├── S3 t=0 n=1 *   UCB1 ∞",
        "│  └·· S4 t=0 n=0   UCB1 ∞",
        "└── S2 t=10 n=1   UCB1 11.67",
    ]


def test_report_has_no_difference() -> None:
    """All that the article says of the four iterations comes out."""
    report = ucb1.run()

    assert [claim for claim in report.claims if not claim.agrees] == []
    assert len(report.parts) == 4
