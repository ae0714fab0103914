"""Standings of players over several matches: wins, mean goals and how sure that is.

>>> standing = tally([Score(goal=100, others=(0,)), Score(goal=50, others=(50,))])
>>> standing.wins, standing.draws, standing.losses, standing.mean_goal
(1, 1, 0, 75.0)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

NORMAL_95 = 1.959964
"""A standard normal variable lies within plus or minus this with probability 0.95."""


@dataclass(frozen=True, slots=True)
class Score:
    """One player's goal in one match, and the other players' goals (`random` left out)."""

    goal: int
    others: tuple[int, ...] = ()

    @property
    def is_win(self) -> bool:
        """More than everybody else; alone, all there is to get."""
        return self.goal > max(self.others) if self.others else self.goal == 100

    @property
    def is_draw(self) -> bool:
        """As much as the best of the others."""
        return bool(self.others) and self.goal == max(self.others)


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's results over its matches."""

    matches: int
    wins: int
    draws: int
    mean_goal: float
    interval: tuple[float, float]
    """95 % interval of the mean goal."""

    @property
    def losses(self) -> int:
        """Matches neither won nor drawn."""
        return self.matches - self.wins - self.draws


def tally(scores: Sequence[Score]) -> Standing:
    """The standing that the scores of one player make; there must be at least one."""
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
    """Wilson's 95 % interval for a mean goal (0..100) over so many matches.

    Made for shares of wins. Goals between 0 and 100 vary less than wins and losses of the same
    mean, so for them it is on the safe side. Unlike mean plus or minus error it says something when
    all matches end alike.

    See Wilson, Probable Inference, the Law of Succession, and Statistical Inference, 1927.
    """
    share, z2 = mean_goal / 100, NORMAL_95**2
    centre = (share + z2 / (2 * matches)) / (1 + z2 / matches)
    variance = share * (1 - share) / matches + z2 / (4 * matches**2)
    half = NORMAL_95 * math.sqrt(variance) / (1 + z2 / matches)
    return 100 * max(0.0, centre - half), 100 * min(1.0, centre + half)
