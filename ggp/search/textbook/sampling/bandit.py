"""UCB1: how much a choice promises, by what it brought and how seldom it was tried.

    >>> round(ucb1(mean=10, visits=2, parent_visits=3, c=2), 2)
    11.48
    >>> round(ucb1(mean=10, visits=1, parent_visits=3, c=2), 2)
    12.1

These are the two values of the fourth iteration in the walk-through of Monte Carlo tree search that
comes with the lectures: what was tried less is tried next, though both have brought as much.
"""

from __future__ import annotations

import math
from collections.abc import Sequence


def ucb1(mean: float, visits: int, parent_visits: int, c: float) -> float:
    """The upper confidence bound of a choice: mean + c * sqrt(ln(parent_visits) / visits).

    Args:
        mean: What it brought on average, on any scale.
        visits: How often it was made; one that never was is worth infinitely much.
        parent_visits: How often any choice was made here.
        c: Weight of exploration, on the scale of `mean`; sqrt(2) suits rewards from 0 to 1.

    See Auer, Cesa-Bianchi and Fischer, Finite-time Analysis of the Multiarmed Bandit Problem, 2002.
    """
    if visits == 0:
        return math.inf
    return mean + c * math.sqrt(math.log(max(1, parent_visits)) / visits)


def best_arm(totals: Sequence[float], visits: Sequence[int], c: float) -> int:
    """The choice with the highest upper confidence bound, of equal ones the first.

    Args:
        totals: What each choice has brought in all.
        visits: How often each was made.
        c: Weight of exploration.
    """
    pulls = sum(visits)

    def bound(arm: int) -> float:
        return ucb1(totals[arm] / max(1, visits[arm]), visits[arm], pulls, c)

    return max(range(len(visits)), key=bound)
