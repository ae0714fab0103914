"""Ratings of players from their results: Elo numbers by the model of Bradley and Terry.

A draw counts as half a win.

>>> ratings = rate([Meeting("a", "b", 1.0)] * 3 + [Meeting("a", "b", 0.0)])
>>> [(one.name, round(one.elo)) for one in ratings]
[('a', 82), ('b', -82)]

See Bradley and Terry, Rank Analysis of Incomplete Block Designs, 1952. The model is fitted as in
Hunter, MM Algorithms for Generalized Bradley-Terry Models, 2004.
"""

from __future__ import annotations

import itertools
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

ELO_PER_NAT = 400 / math.log(10)
NORMAL_95 = 1.959964
PRIOR_DRAWS = 0.5
"""Points that each player gets from virtual draws against an average player. Without them, a player
that won all matches would be infinitely strong."""
MAX_ROUNDS, TOLERANCE = 10_000, 1e-9


@dataclass(frozen=True, slots=True)
class Meeting:
    """The result of two players in a match."""

    first: str
    second: str
    score: float  # 1 if the first player has the higher goal, 0.5 if the goals are equal, else 0


@dataclass(frozen=True, slots=True)
class Rating:
    """A player's strength. The average of all players is 0."""

    name: str
    elo: float
    low: float
    high: float  # `low` to `high` is the 95 % interval, relative to the average player
    meetings: int


def meetings_of(
    players: Sequence[str], goals: Sequence[int], absent: Sequence[bool] = ()
) -> list[Meeting]:
    """Return the meetings of one match. A player with several seats does not meet itself.

    Args:
        absent: Which players did not play, even if moves were made for them. They lose to all
            players that were present, and two absent players do not meet. Empty if all played.
    """
    played = [not is_absent for is_absent in absent] or [True] * len(goals)
    seats = list(zip(players, zip(played, goals, strict=True), strict=True))
    return [
        Meeting(one, other, 1.0 if mine > theirs else 0.5 if mine == theirs else 0.0)
        for (one, mine), (other, theirs) in itertools.combinations(seats, 2)
        if one != other and (mine[0] or theirs[0])
    ]


def rate(meetings: Iterable[Meeting]) -> list[Rating]:
    """Return the ratings of all players that met another player, the strongest first."""
    scores: dict[tuple[str, str], float] = defaultdict(float)
    for one in meetings:
        scores[one.first, one.second] += one.score
        scores[one.second, one.first] += 1 - one.score
    return rate_scores(scores)


def rate_scores(scores: Mapping[tuple[str, str], float]) -> list[Rating]:
    """Return the ratings of all players, the strongest first.

    Args:
        scores: Maps a player and its opponent to the player's points from all their meetings. Each
            pair that has met is there twice, once with each of the two as the player.
    """
    names = sorted({name for name, _ in scores})
    if not names:
        return []
    index = {name: number for number, name in enumerate(names)}
    wins = np.zeros((len(names), len(names)))
    for (one, other), score in scores.items():
        wins[index[one], index[other]] = score
    strengths = _fit(wins)
    errors = _standard_errors(wins, strengths)
    counts = (wins + wins.T).sum(axis=1)
    elos = np.log(strengths) * ELO_PER_NAT
    ratings = [
        Rating(
            name,
            float(elos[number]),
            float(elos[number] - NORMAL_95 * errors[number]),
            float(elos[number] + NORMAL_95 * errors[number]),
            round(float(counts[number])),
        )
        for name, number in index.items()
    ]
    return sorted(ratings, key=lambda rating: -rating.elo)


def _fit(wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the most likely strengths of the players as `[N]`. Their geometric mean is 1.

    Args:
        wins: `[N, N]`. Row i has the points of player i against each other player.
    """
    games = wins + wins.T
    won = wins.sum(axis=1) + PRIOR_DRAWS
    strengths: NDArray[np.float64] = np.ones(len(wins))
    for _ in range(MAX_ROUNDS):
        sums = strengths[:, None] + strengths[None, :]
        # Each player also drew 2 * PRIOR_DRAWS games against an average player, of strength 1.
        weight = (games / sums).sum(axis=1) + 2 * PRIOR_DRAWS / (strengths + 1)
        better = won / weight
        better /= np.exp(np.log(better).mean())
        change = float(np.abs(np.log(better / strengths)).max())
        strengths = better
        if change < TOLERANCE:
            break
    return strengths


def _standard_errors(
    wins: NDArray[np.float64], strengths: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the standard errors in Elo, relative to the mean of all players, as `[N]`.

    They follow from the curvature of the likelihood.
    """
    share = strengths[:, None] / (strengths[:, None] + strengths[None, :])
    information = (wins + wins.T) * share * (1 - share)
    to_average = strengths / (strengths + 1) ** 2 * 2 * PRIOR_DRAWS
    curvature = np.diag(information.sum(axis=1) + to_average) - information
    centring = np.eye(len(wins)) - 1 / len(wins)
    variances: NDArray[np.float64] = np.diag(centring @ np.linalg.inv(curvature) @ centring)
    errors: NDArray[np.float64] = np.sqrt(variances) * ELO_PER_NAT
    return errors
