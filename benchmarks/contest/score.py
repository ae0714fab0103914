"""The score of matches: points and their interval.

>>> low, high = wilson(30.0, 40)
>>> f"{low:.3f} {high:.3f}"
'0.598 0.858'
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean, median
from typing import Any

Z = 1.959964  # 95 % of a normal distribution lie within so many standard deviations
WIN, DRAW, LOSS = 1.0, 0.5, 0.0


@dataclass(frozen=True, slots=True)
class Outcome:
    """One match of two contestants, A and B.

    Attributes:
        game: Its name.
        names: Those of A and B.
        number: Of the match among those of the pair, from 0.
        first: Who had the first role: 0 for A, 1 for B.
        points: Of A.
        plies: Joint moves made.
        seconds: For A and for B, the time of each move that was chosen from several.
        figures: For A and for B, sums over these moves of their reported work.
        fault: Which side lost without a legal move, and how; empty if none did.
        moves: The joint moves.
    """

    game: str
    names: tuple[str, str]
    number: int
    first: int
    points: float
    plies: int
    seconds: tuple[list[float], list[float]]
    figures: tuple[dict[str, float], dict[str, float]]
    fault: str
    moves: list[str]


def wilson(points: float, num: int) -> tuple[float, float]:
    """Return the 95 % interval of the share of points, after `num` matches.

    A match is taken to bring 1 or 0. Draws vary less, so with them the interval is wider than it
    had to be. Wilson, Probable Inference, the Law of Succession, and Statistical Inference, 1927.
    """
    if num == 0:
        return 0.0, 1.0
    share, weight = points / num, Z * Z / num
    middle = (share + weight / 2) / (1 + weight)
    half = Z / (1 + weight) * math.sqrt(share * (1 - share) / num + weight / num / 4)
    return max(0.0, middle - half), min(1.0, middle + half)


def summary(outcomes: Sequence[Outcome], seconds: float) -> dict[str, Any]:
    """Return the score of a pair's matches in one game, as figures; points are those of A."""
    num = len(outcomes)
    points = [one.points for one in outcomes]
    low, high = wilson(sum(points), num)
    return {
        "game": outcomes[0].game,
        "player": outcomes[0].names[0],
        "opponent": outcomes[0].names[1],
        "matches": num,
        **_counts(outcomes),
        "as_first": _counts([one for one in outcomes if one.first == 0]),
        "as_second": _counts([one for one in outcomes if one.first == 1]),
        "points_percent": 100 * fmean(points),
        "interval_percent": [100 * low, 100 * high],
        "mean_plies": fmean(one.plies for one in outcomes),
        "thinking": [_thinking(outcomes, side, seconds) for side in (0, 1)],
        "faults": [one.fault for one in outcomes if one.fault],
    }


def _counts(outcomes: Sequence[Outcome]) -> dict[str, int]:
    points = [one.points for one in outcomes]
    return {
        "wins": points.count(WIN),
        "draws": points.count(DRAW),
        "losses": points.count(LOSS),
    }


def _thinking(outcomes: Sequence[Outcome], side: int, seconds: float) -> dict[str, Any]:
    """Return a side's thinking time for a move, and the figures that it reported."""
    spent = [each for one in outcomes for each in one.seconds[side]]
    if not spent:
        return {"moves": 0}
    names = sorted({name for one in outcomes for name in one.figures[side]})
    per_move = {
        name: sum(one.figures[side].get(name, 0.0) for one in outcomes) / len(spent)
        for name in names
    }
    return {
        "moves": len(spent),
        "median_seconds": median(spent),
        "mean_seconds": fmean(spent),
        "worst_overrun": max(0.0, max(spent) - seconds),
        "per_move": per_move,
    }


def line(found: dict[str, Any]) -> str:
    """Return a summary in one line."""
    low, high = found["interval_percent"]
    return (
        f"{found['game']}: {found['player']} - {found['opponent']}: "
        f"{found['wins']}/{found['draws']}/{found['losses']} of {found['matches']}, "
        f"{found['points_percent']:.1f} % ({low:.0f}-{high:.0f})"
    )
