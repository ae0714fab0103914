"""The picture of a player's rating over time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from ggp.manager.domain.ratings import CurvePoint

WIDTH, HEIGHT = 600, 160
MIN_POINTS: Final = 2


@dataclass(frozen=True, slots=True)
class RatingCurve:
    """The points of a rating and of its interval, in a picture of `WIDTH` by `HEIGHT`.

    Attributes:
        line: The corners of the line of ratings, as SVG writes them.
        band: The corners of the area between the ends of the intervals.
        lowest: The Elo at the lower edge.
        highest: The Elo at the upper edge.
        first: The time at the left edge, in milliseconds since 1970.
        last: The time at the right edge.
        best: The point with the highest rating.
    """

    line: str
    band: str
    lowest: float
    highest: float
    first: int
    last: int
    best: CurvePoint

    @classmethod
    def of(cls, points: Sequence[CurvePoint]) -> RatingCurve | None:
        """Draw a curve. Return None if there are fewer than `MIN_POINTS` points."""
        if len(points) < MIN_POINTS:
            return None
        lowest, highest = min(one.low for one in points), max(one.high for one in points)
        first, last = points[0].time, points[-1].time

        def corner(time: int, elo: float) -> str:
            x = WIDTH * (time - first) / max(last - first, 1)
            y = HEIGHT * (highest - elo) / max(highest - lowest, 1.0)
            return f"{x:.1f},{y:.1f}"

        upper = [corner(one.time, one.high) for one in points]
        lower = [corner(one.time, one.low) for one in reversed(points)]
        return cls(
            line=" ".join(corner(one.time, one.elo) for one in points),
            band=" ".join(upper + lower),
            lowest=lowest,
            highest=highest,
            first=first,
            last=last,
            best=max(points, key=lambda one: one.elo),
        )
