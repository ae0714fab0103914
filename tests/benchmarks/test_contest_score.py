"""The score of matches."""

from __future__ import annotations

from typing import Any

import pytest
from contest.score import Outcome, line, summary, wilson


def outcome(**changes: Any) -> Outcome:
    """A match that A won as first."""
    values: dict[str, Any] = {
        "game": "nim",
        "names": ("a", "b"),
        "number": 0,
        "first": 0,
        "points": 1.0,
        "plies": 4,
        "seconds": ([0.5, 1.5], [1.0, 1.0]),
        "figures": ({"visits": 30.0}, {}),
        "fault": "",
        "moves": [],
    }
    return Outcome(**{**values, **changes})


@pytest.mark.parametrize(
    ("points", "num", "low", "high"),
    [
        # Textbook figures; see Newcombe, Two-sided confidence intervals for the single proportion.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
        (29, 29, 0.8830, 1.0),
    ],
)
def test_intervals_are_those_of_wilson(points: float, num: int, low: float, high: float) -> None:
    """As published, to four digits."""
    assert wilson(points, num) == pytest.approx((low, high), abs=5e-5)


def test_no_match_says_nothing() -> None:
    """Everything is possible."""
    assert wilson(0, 0) == (0.0, 1.0)


def test_a_summary_counts_by_seat() -> None:
    """Points, intervals, and the times of all moves."""
    matches = [
        outcome(),
        outcome(first=1, points=0.5, number=1),
        outcome(points=0.0, number=2, fault="a: late"),
    ]

    found = summary(matches, seconds=1.0)

    assert (found["wins"], found["draws"], found["losses"]) == (1, 1, 1)
    assert found["as_first"] == {"wins": 1, "draws": 0, "losses": 1}
    assert found["as_second"] == {"wins": 0, "draws": 1, "losses": 0}
    assert found["points_percent"] == pytest.approx(50)
    assert found["thinking"][0]["median_seconds"] == pytest.approx(1.0)
    assert found["thinking"][0]["worst_overrun"] == pytest.approx(0.5)
    assert found["thinking"][0]["per_move"] == {"visits": 15.0}
    assert found["thinking"][1]["worst_overrun"] == 0
    assert found["faults"] == ["a: late"]
    assert line(found).startswith("nim: a - b: 1/1/1 of 3, 50.0 % (")
