"""Results of random playouts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Playouts:
    """Statistics of random playouts."""

    count: int  # number of playouts that ended
    # Number of playouts that the depth limit ended. On lanes their goals count as 50, otherwise as
    # in the last state.
    cut: int
    moves: int  # number of joint moves
    goal_totals: tuple[int, ...]  # for each role, the sum of its goals
    seconds: float  # duration
    # Number of playouts that ended because a role had no legal move before the game was over. Lanes
    # do not count them separately.
    stuck: int = 0

    @property
    def states(self) -> int:
        """Number of states that were evaluated, including terminal ones."""
        return self.moves + self.count

    @property
    def mean_length(self) -> float:
        """Mean number of joint moves per playout."""
        return self.moves / max(1, self.count)

    @property
    def mean_goals(self) -> tuple[float, ...]:
        """Mean goal of each role."""
        return tuple(total / max(1, self.count) for total in self.goal_totals)


def together(parts: Sequence[Playouts], seconds: float) -> Playouts:
    """Add up the statistics of several parts, which took `seconds` in all."""
    totals = zip(*(part.goal_totals for part in parts), strict=True)
    return Playouts(
        count=sum(part.count for part in parts),
        cut=sum(part.cut for part in parts),
        moves=sum(part.moves for part in parts),
        goal_totals=tuple(map(sum, totals)),
        seconds=seconds,
        stuck=sum(part.stuck for part in parts),
    )
