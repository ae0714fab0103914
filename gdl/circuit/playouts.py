"""Results of random playouts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Playouts:
    """Counts of random playouts."""

    count: int  # playouts that ended
    # How many of them were ended by the depth limit. On lanes their goals count as 50, else as they
    # stood.
    cut: int
    moves: int  # joint moves that were made
    goal_totals: tuple[int, ...]  # for each role, the sum of its goals
    seconds: float  # how long it took
    # How many of them ended where a role had no legal move before the game was over. Lanes do not
    # tell these from others.
    stuck: int = 0

    @property
    def states(self) -> int:
        """States that were looked at, terminal ones included."""
        return self.moves + self.count

    @property
    def mean_length(self) -> float:
        """Joint moves in a playout."""
        return self.moves / max(1, self.count)

    @property
    def mean_goals(self) -> tuple[float, ...]:
        """For each role."""
        return tuple(total / max(1, self.count) for total in self.goal_totals)


def together(parts: Sequence[Playouts], seconds: float) -> Playouts:
    """Sum of the counts of several stretches or several players, in so many seconds in all."""
    totals = zip(*(part.goal_totals for part in parts), strict=True)
    return Playouts(
        count=sum(part.count for part in parts),
        cut=sum(part.cut for part in parts),
        moves=sum(part.moves for part in parts),
        goal_totals=tuple(map(sum, totals)),
        seconds=seconds,
        stuck=sum(part.stuck for part in parts),
    )
