"""Utilities: the worth of goals to the players of OpenSpiel."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ggp.environments.openspiel.survey import Survey

Utility = tuple[float, float] | Callable[[int], float]
"""The utilities of goals 0 and 100, with those of others between them; or that of each goal."""

_NEAR = 1e-9


class Utilities:
    """Utilities of the players' goals.

    Attributes:
        total: The sum of the players' utilities, if it is always the same; else None.
        lowest: What a player gets at least.
        highest: What a player gets at most.
    """

    def __init__(
        self,
        seen: Survey,
        num_players: int,
        goals: Sequence[int],
        utility: Utility | None = None,
        zero_sum: bool | None = None,
    ) -> None:
        """Utilities.

        Args:
            seen: What is known of the game.
            num_players: How many play.
            goals: All that a player may get.
            utility: What goals are worth. None: between two players whose goals always have the
                same sum, what they differ by, -1 to 1; else a hundredth, 0 to 1.
            zero_sum: Whether the sum of the utilities is always the same; None: as was seen.
        """
        as_seen = num_players > 1 and seen.is_conclusive
        is_fixed = as_seen if zero_sum is None else zero_sum
        self._num_players = num_players
        self._of = _function(utility, seen.total if is_fixed and num_players == 2 else None)
        totals = [sum(map(self._of, goals)) for goals in seen.goals]
        is_same = bool(totals) and max(totals) - min(totals) < _NEAR
        if zero_sum and not is_same:
            raise ValueError("zero_sum: the players' utilities do not always have the same sum")
        self.total = totals[0] if is_fixed and is_same else None
        if self.total is not None and abs(self.total) < _NEAR:
            self.total = 0.0
        values = [*map(self._of, {0, *goals}), self.undecided()[0]]
        self.lowest = min(values)
        self.highest = max(values) if max(values) > self.lowest else self.lowest + 1

    def of(self, goals: Sequence[int]) -> list[float]:
        """The utilities of the players' goals.

        Raises:
            ValueError: Their sum is not that of all others.
        """
        utilities = list(map(self._of, goals))
        if self.total is not None and abs(sum(utilities) - self.total) > _NEAR:
            raise ValueError(
                f"goals {', '.join(map(str, goals))}: their sum is not what it was in random play; "
                "load the game with zero_sum=False"
            )
        return utilities

    def undecided(self) -> list[float]:
        """The utilities of a game that has not come to its end."""
        each = self._of(0) if self.total is None else self.total / self._num_players
        return [each] * self._num_players


def _function(utility: Utility | None, total: int | None) -> Callable[[int], float]:
    if callable(utility):
        return utility
    if utility is not None:
        low, high = utility
        return lambda goal: low + (high - low) * goal / 100
    if total is not None:
        return lambda goal: (2 * goal - total) / 100
    return lambda goal: goal / 100
