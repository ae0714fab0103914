"""Ratings of players from their results: Elo numbers by the model of Bradley and Terry.

A draw counts as half a win.

>>> ratings = rate([Meeting("a", "b", 1.0)] * 3 + [Meeting("a", "b", 0.0)])
>>> [(one.name, round(one.elo)) for one in ratings]
[('a', 82), ('b', -82)]

See Bradley and Terry, Rank Analysis of Incomplete Block Designs, 1952.
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
MAX_ROUNDS, TOLERANCE = 100, 1e-9
MAX_STEP = 2.0
"""Longest step of Newton's method, in natural logarithms."""


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


@dataclass(frozen=True, slots=True)
class Fit:
    """The fitted strengths of players.

    Attributes:
        names: N names, sorted.
        elos: `[N]`. Their mean is 0.
        covariance: `[N, N]`, in Elo squared.
        meetings: `[N]`.
    """

    names: tuple[str, ...]
    elos: NDArray[np.float64]
    covariance: NDArray[np.float64]
    meetings: NDArray[np.int64]

    def ratings(self) -> list[Rating]:
        """Return the ratings of the players, the strongest first."""
        errors = np.sqrt(np.diag(self.covariance))
        ratings = [
            Rating(name, elo, elo - NORMAL_95 * error, elo + NORMAL_95 * error, meetings)
            for name, elo, error, meetings in zip(
                self.names,
                self.elos.tolist(),
                errors.tolist(),
                self.meetings.tolist(),
                strict=True,
            )
        ]
        return sorted(ratings, key=lambda rating: -rating.elo)


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
    return fit_scores(scores).ratings()


def fit_scores(scores: Mapping[tuple[str, str], float]) -> Fit:
    """Fit the strengths of all players to their scores, in the form that `rate_scores` takes."""
    names = sorted({name for name, _ in scores})
    index = {name: number for number, name in enumerate(names)}
    wins = np.zeros((len(names), len(names)))
    for (one, other), score in scores.items():
        wins[index[one], index[other]] = score
    strengths = _fit(wins)
    return Fit(
        tuple(names),
        strengths * ELO_PER_NAT,
        _covariance(wins, strengths) * ELO_PER_NAT**2,
        np.rint((wins + wins.T).sum(axis=1)).astype(np.int64),
    )


def rate_equally(fits: Iterable[Fit]) -> Fit:
    """Combine the strengths in several games, so that every game counts the same.

    A player's overall strength is the mean of its strengths in its games. The model is
    additive, because the players of some games are stronger than those of others: the strength of a
    player in a game is the player's overall strength plus a number of the game. Both are fitted by
    least squares over the pairs of a player and a game, with equal weights. If all players play all
    games, the result is the plain mean. The covariance follows from those of the games, because the
    model is linear.

    See Searle, Linear Models, 1971, on two-way classifications with unequal numbers.
    """
    fits = list(fits)
    names = sorted({name for fit in fits for name in fit.names})
    index = {name: number for number, name in enumerate(names)}
    size = len(names) + len(fits)
    normal, right = np.zeros((size, size)), np.zeros(size)
    spread, meetings = np.zeros((len(names), len(names))), np.zeros(len(names), np.int64)
    for game, fit in enumerate(fits, start=len(names)):
        rows = [index[name] for name in fit.names]
        normal[rows, rows] += 1
        normal[rows, game] += 1
        normal[game, rows] += 1
        normal[game, game] += len(rows)
        right[rows] += fit.elos
        right[game] += fit.elos.sum()
        spread[np.ix_(rows, rows)] += fit.covariance
        meetings[rows] += fit.meetings
    # Only differences between players are determined, so take the solution with mean 0.
    solution = _centring(len(names)) @ np.linalg.pinv(normal, hermitian=True)[: len(names)]
    of_players = solution[:, : len(names)]
    return Fit(tuple(names), solution @ right, of_players @ spread @ of_players.T, meetings)


def _centring(size: int) -> NDArray[np.float64]:
    """Return the matrix that subtracts from each number the mean of all."""
    centring: NDArray[np.float64] = np.eye(size) - 1 / max(size, 1)
    return centring


def _fit(wins: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the logarithms of the most likely strengths as `[N]`. Their mean is 0.

    The likelihood is concave, and Newton's method finds its maximum among all strengths with this
    mean.

    Args:
        wins: `[N, N]`. Row i has the points of player i against each other player.
    """
    # Each player also drew 2 * PRIOR_DRAWS games against an average player, of strength 0.
    won = wins.sum(axis=1) + PRIOR_DRAWS
    strengths: NDArray[np.float64] = np.zeros(len(wins))
    for _ in range(MAX_ROUNDS):
        expected = (wins + wins.T) * _share(strengths[:, None] - strengths[None, :])
        slope = won - expected.sum(axis=1) - 2 * PRIOR_DRAWS * _share(strengths)
        inverse = np.linalg.inv(_curvature(wins, strengths))
        step = inverse @ slope - inverse.sum(axis=1) * (inverse @ slope).sum() / inverse.sum()
        length = float(np.abs(step).max(initial=0.0))
        strengths = strengths + step * min(1.0, MAX_STEP / max(length, MAX_STEP))
        if length < TOLERANCE:
            break
    return strengths


def _share(lead: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the expected score of a player whose strength has this lead, as a logarithm."""
    share: NDArray[np.float64] = 1 / (1 + np.exp(-lead))
    return share


def _curvature(wins: NDArray[np.float64], strengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the curvature of the likelihood at the logarithms of the strengths, `[N, N]`."""
    share = _share(strengths[:, None] - strengths[None, :])
    information = (wins + wins.T) * share * (1 - share)
    of_average = _share(strengths)
    to_average = 2 * PRIOR_DRAWS * of_average * (1 - of_average)
    curvature: NDArray[np.float64] = np.diag(information.sum(axis=1) + to_average) - information
    return curvature


def _covariance(wins: NDArray[np.float64], strengths: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the covariances of the logarithms of the strengths, relative to their mean, `[N, N]`.

    They follow from the curvature of the likelihood.
    """
    centring = _centring(len(wins))
    covariance: NDArray[np.float64] = (
        centring @ np.linalg.inv(_curvature(wins, strengths)) @ centring
    )
    return covariance
