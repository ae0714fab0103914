"""Means over games with their intervals, Elo numbers, and tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ggp.rating.ratings import rate_scores

RESAMPLES = 10_000
SEED = 1


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean over games, and its 95 % interval.

    Attributes:
        value: The mean; each game counts alike, however many positions or matches it has.
        low: Lower end of the interval.
        high: Upper end of the interval.
    """

    value: float
    low: float
    high: float

    def as_percent(self, *, is_signed: bool = False) -> str:
        """Return the mean and its interval as text.

        >>> Mean(0.5, 0.25, 0.75).as_percent()
        '50.0 % (25.0 to 75.0)'
        """
        sign = "+" if is_signed else ""
        value, low, high = (100 * each for each in (self.value, self.low, self.high))
        return f"{value:{sign}.1f} % ({low:{sign}.1f} to {high:{sign}.1f})"


def mean_over_games(values: Sequence[float]) -> Mean:
    """Return the mean with its bootstrap interval.

    The games are drawn anew, with replacement. So the interval says how far the mean may be from
    that of all games like these.
    """
    games = np.array(values, np.float64)
    rng = np.random.default_rng(SEED)
    drawn = games[rng.integers(len(games), size=(RESAMPLES, len(games)))].mean(axis=1)
    low, high = np.quantile(drawn, (0.025, 0.975))
    return Mean(float(games.mean()), float(low), float(high))


def elo(points: float, num_matches: int) -> float:
    """Return by how much the first of two players is stronger.

    Half a draw with an average player is added on each side, so that who wins all matches has a
    finite number.

    >>> round(elo(15.0, 20)), round(elo(10.0, 20))
    (182, 0)
    """
    scores = {("first", "second"): points, ("second", "first"): num_matches - points}
    ratings = {one.name: one.elo for one in rate_scores(scores)}
    return ratings["first"] - ratings["second"]


def elo_of(mean: Mean, num_matches: int) -> Mean:
    """Return the Elo number of a mean share of points, and of the ends of its interval."""
    low, value, high = (
        elo(share * num_matches, num_matches) for share in (mean.low, mean.value, mean.high)
    )
    return Mean(value, low, high)


def markdown(rows: Sequence[Sequence[str]], num_texts: int = 1) -> str:
    """Return a table in Markdown; the first row has the headings.

    Args:
        rows: Cells, in rows of the same length.
        num_texts: Columns of text, on the left. All others are numbers.
    """
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    rule = [
        "-" * width if number < num_texts else "-" * max(1, width - 1) + ":"
        for number, width in enumerate(widths)
    ]
    lines = [rows[0], rule, *rows[1:]]
    return "\n".join(
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in lines
    )
