"""The sequential probability ratio test: find out with few matches which player is stronger.

>>> test = Sprt(StopRule(elo0=0, elo1=100))
>>> while test.verdict is None:
...     test.add(0.75)  # one match won, one drawn
>>> test.verdict, test.pairs
('elo1', 9)

The two hypotheses are the Elo differences `elo0` and `elo1` of the first player over the second.
The logistic curve converts each one to expected points s0 and s1 of a match,

    s = 1 / (1 + 10^(-elo / 400)).

Two matches with the seats swapped are a pair. The test looks at the mean points x of each pair: 0,
1/4, 1/2, 3/4 or 1 if matches are won, drawn and lost. So draws and the advantage of moving first
reduce the variance, as they should, and a correlation between the matches of a pair does no harm.
After N pairs with mean m and variance v, the logarithm of the likelihood ratio of the two
hypotheses is, by the normal approximation,

    LLR = N (s1 - s0) (2 m - s0 - s1) / (2 v),

and the test ends, with `elo0` or with `elo1` accepted, as soon as the ratio leaves Wald's bounds

    log(beta / (1 - alpha)) < LLR < log((1 - beta) / alpha),

where alpha is the share of tests that accept `elo1` although `elo0` is true, and beta is the share
for the opposite error. If the true Elo lies between `elo0` and `elo1`, either may be accepted, and
the test takes longest.

The variance v is unknown and is estimated from the pairs, which makes the test a generalised one.
With few pairs, or if all end alike, the estimate would be far too small or 0, and the test would be
too confident. Therefore v is estimated as if there were PRIOR_PAIRS more pairs with the largest
possible variance:

    v = (sum of (x - m)^2 + PRIOR_PAIRS / 4) / (N + PRIOR_PAIRS).

See Wald, Sequential Tests of Statistical Hypotheses, 1945. The generalised test is that of Li, Liu
and Ying, The Generalized Sequential Probability Ratio Test for Tests of Separate Families of
Hypotheses, 2014. The notes of Van den Bergh for fishtest describe its normal approximation in
matches between engines.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, Self

PRIOR_PAIRS = 4.0
"""The smallest of 1, 2 and 4 that kept the error rates of short simulated tests within 0.05."""

Verdict = Literal["elo0", "elo1"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StopRule:
    """The two hypotheses of a test, and how often it may be wrong."""

    elo0: float  # Elo of the first player over the second by the first hypothesis
    elo1: float  # the same by the second hypothesis; more than elo0
    alpha: float = 0.05  # share of tests that may accept elo1 although elo0 is true
    beta: float = 0.05  # share of tests that may accept elo0 although elo1 is true

    @property
    def bounds(self) -> tuple[float, float]:
        """The LLR at which elo0 is accepted, and the LLR at which elo1 is accepted."""
        return (math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha))


class Sprt:
    """A test that is updated with each pair of matches."""

    def __init__(self, rule: StopRule) -> None:
        self.rule = rule
        self.pairs = 0
        self._mean = 0.0
        self._squares = 0.0
        """Sum of the squared deviations from the mean."""

    @classmethod
    def of(cls, rule: StopRule, points: Iterable[float]) -> Self:
        """Run a test on pairs in the given order, up to the pair that decides it."""
        test = cls(rule)
        for one in points:
            test.add(one)
            if test.verdict is not None:
                break
        return test

    def add(self, points: float) -> None:
        """Add the mean points of the first player in a pair of matches, 0 to 1."""
        # Welford's method for mean and variance.
        self.pairs += 1
        distance = points - self._mean
        self._mean += distance / self.pairs
        self._squares += distance * (points - self._mean)

    @property
    def llr(self) -> float:
        """The logarithm of the likelihood ratio. Above 0, elo1 is the likelier hypothesis."""
        if self.pairs == 0:
            return 0.0
        low, high = expected_points(self.rule.elo0), expected_points(self.rule.elo1)
        variance = (self._squares + PRIOR_PAIRS / 4) / (self.pairs + PRIOR_PAIRS)
        return self.pairs * (high - low) * (2 * self._mean - low - high) / (2 * variance)

    @property
    def verdict(self) -> Verdict | None:
        """The accepted hypothesis, or None as long as the test is undecided."""
        lower, upper = self.rule.bounds
        if self.llr >= upper:
            return "elo1"
        return "elo0" if self.llr <= lower else None

    def __str__(self) -> str:
        lower, upper = self.rule.bounds
        accepted = self.verdict
        elo = f"{self.rule.elo0:g} or {self.rule.elo1:g} Elo"
        figures = f"LLR {self.llr:.2f}, bounds {lower:.2f} and {upper:.2f}, {self.pairs} pairs"
        return f"SPRT, {elo}: {figures}; {f'{accepted} accepted' if accepted else 'undecided'}"


def expected_points(elo: float) -> float:
    """Return the expected points of a match for a player stronger by `elo`. A draw gives 0.5."""
    return 1 / (1 + 10 ** (-elo / 400))
