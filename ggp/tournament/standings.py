"""Standings of players over several matches: wins, mean goals and confidence intervals.

>>> standing = tally([Score(goal=100, others=(0,)), Score(goal=50, others=(50,))])
>>> standing.wins, standing.draws, standing.losses, standing.mean_goal
(1, 1, 0, 75.0)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

NORMAL_95 = 1.959964
"""A standard normal variable lies between minus this and plus this with probability 0.95."""


@dataclass(frozen=True, slots=True)
class Score:
    """One player's goal in one match, and the goals of the other players except `random`."""

    goal: int
    others: tuple[int, ...] = ()

    @property
    def is_win(self) -> bool:
        """Whether the goal is higher than all others. For a single player, whether it is 100."""
        return self.goal > max(self.others) if self.others else self.goal == 100

    @property
    def is_draw(self) -> bool:
        """Whether the goal equals the best goal of the others."""
        return bool(self.others) and self.goal == max(self.others)


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's results over its matches."""

    matches: int
    wins: int
    draws: int
    mean_goal: float
    interval: tuple[float, float]
    """The 95 % interval of the mean goal."""

    @property
    def losses(self) -> int:
        """Number of matches that were neither won nor drawn."""
        return self.matches - self.wins - self.draws


def tally(scores: Sequence[Score]) -> Standing:
    """Return the standing of one player, given at least one score."""
    goals = [score.goal for score in scores]
    mean_goal = sum(goals) / len(goals)
    return Standing(
        matches=len(scores),
        wins=sum(score.is_win for score in scores),
        draws=sum(score.is_draw for score in scores),
        mean_goal=mean_goal,
        interval=interval(mean_goal, len(goals)),
    )


def interval(mean_goal: float, matches: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval for a mean goal (0..100) over a number of matches.

    The interval is defined for proportions of wins. Goals between 0 and 100 vary less than wins and
    losses with the same mean, so for them the interval is wider than necessary. Unlike the mean
    plus or minus an error, it is still meaningful if all matches have the same result.

    See Wilson, Probable Inference, the Law of Succession, and Statistical Inference, 1927.
    """
    share, z2 = mean_goal / 100, NORMAL_95**2
    centre = (share + z2 / (2 * matches)) / (1 + z2 / matches)
    variance = share * (1 - share) / matches + z2 / (4 * matches**2)
    half = NORMAL_95 * math.sqrt(variance) / (1 + z2 / matches)
    return 100 * max(0.0, centre - half), 100 * min(1.0, centre + half)
