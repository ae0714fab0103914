"""The sequential test: its figures, and how often it is wrong."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import pytest

from ggp.rating.sprt import PRIOR_PAIRS, Sprt, StopRule, expected_points
from tests.thorough import all_but

RULE = StopRule(elo0=0, elo1=20)
RULES = [RULE, StopRule(elo0=0, elo1=100), StopRule(elo0=-10, elo1=10)]
DRAWS, FIRST_MOVE = 0.4, 0.1
"""Of simulated matches: the share drawn, and the points that moving first is worth."""


def test_the_bounds_are_those_of_wald() -> None:
    """About plus and minus 2.94 for errors of 0.05; the rarer error lies farther away."""
    assert RULE.bounds == pytest.approx((-2.944439, 2.944439))
    careful = StopRule(elo0=0, elo1=20, alpha=0.01, beta=0.1)
    assert careful.bounds == pytest.approx((math.log(0.1 / 0.99), math.log(0.9 / 0.01)))


def test_the_ratio_is_that_of_two_normal_densities() -> None:
    """Of the mean that was seen, around either expectation."""
    points = [1, 0.75, 0.5, 0.5, 0.25, 0, 0.75, 1] * 10
    test = Sprt.of(RULE, points)
    variance = (sum((x - np.mean(points)) ** 2 for x in points) + PRIOR_PAIRS / 4) / (
        len(points) + PRIOR_PAIRS
    )

    def log_density(elo: float) -> float:
        distance = float(np.mean(points)) - expected_points(elo)
        return -(distance**2) * len(points) / (2 * float(variance))

    assert test.pairs == len(points)
    assert test.llr == pytest.approx(log_density(20) - log_density(0))


def test_points_become_elo_by_the_logistic_curve() -> None:
    """As everywhere."""
    assert expected_points(0) == 0.5
    assert expected_points(400) == pytest.approx(10 / 11)
    assert expected_points(-20) == pytest.approx(1 - expected_points(20))


def test_a_test_that_has_not_begun_says_nothing() -> None:
    """Nor does it divide by its pairs."""
    test = Sprt(RULE)

    assert (test.llr, test.verdict, test.pairs) == (0, None, 0)


@pytest.mark.parametrize(
    ("points", "verdict", "pairs"), [(1.0, "elo1", 13), (0.5, "elo0", 83), (0.0, "elo0", 13)]
)
def test_pairs_that_all_end_alike_decide_nothing_at_once(
    points: float, verdict: str, pairs: int
) -> None:
    """They vary in nothing, which is no reason to be sure."""
    test = Sprt.of(RULE, [points] * 1000)

    assert (test.verdict, test.pairs) == (verdict, pairs)


def test_the_first_verdict_stays() -> None:
    """Whatever comes after it."""
    test = Sprt.of(RULE, [1.0] * 20 + [0.0] * 500)

    assert test.verdict == "elo1"
    assert str(test).startswith("SPRT, 0 or 20 Elo: LLR ")
    assert str(test).endswith("pairs; elo1 accepted")


def pairs_of(elo: float, luck: np.random.Generator) -> Iterator[float]:
    """Points of pairs without end between players of a known distance."""
    points = expected_points(elo)
    while True:
        found = np.zeros(256)
        for expected in (points + FIRST_MOVE, points - FIRST_MOVE):
            throw = luck.random(256)
            is_won, is_drawn = throw < expected - DRAWS / 2, throw < expected + DRAWS / 2
            found += np.where(is_won, 1.0, np.where(is_drawn, 0.5, 0.0))
        yield from (found / 2).tolist()


@pytest.mark.parametrize("rule", all_but(RULES[1:2], RULES))
def test_errors_are_as_rare_as_was_asked_for(rule: StopRule) -> None:
    """Between equal players and unequal ones; 3 standard deviations above are luck."""
    tests = 200
    allowed = 0.05 + 3 * math.sqrt(0.05 * 0.95 / tests)
    luck = np.random.default_rng(17)

    wrong = {
        elo: sum(Sprt.of(rule, pairs_of(elo, luck)).verdict == accepted for _ in range(tests))
        for elo, accepted in ((rule.elo0, "elo1"), (rule.elo1, "elo0"))
    }

    assert max(wrong.values()) <= allowed * tests, wrong
