"""What a search answers: the move, what it is worth, and how much of that is guaranteed."""

from __future__ import annotations

from dataclasses import dataclass

import gdl
from ggp.search.choices import Joint

WORST, BEST = 0.0, 100.0
"""The range of goal values."""


@dataclass(frozen=True, slots=True)
class MoveValue:
    """What a search thinks of one move of the role it searches for."""

    move: gdl.Move
    value: float
    """Estimated goal of that role, 0..100; exact if `lower == upper`."""
    visits: int
    """How often the move was looked into."""
    lower: float = WORST
    """The goal that the move guarantees."""
    upper: float = BEST
    """The goal that cannot be passed after the move, as far as that is proven."""


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The best move of a role and the figures behind it.

    Values are goals of the searching role, 0..100.
    """

    move: gdl.Move
    value: float
    visits: int
    """Rounds of the search below this state, those of earlier turns included."""
    lower: float = WORST
    upper: float = BEST
    line: tuple[Joint, ...] = ()
    """The joint moves expected from here on, the first of them containing `move`."""
    moves: tuple[MoveValue, ...] = ()
    """Every move considered, the best first."""

    @property
    def is_proven(self) -> bool:
        """Whether the value is guaranteed, not estimated."""
        return self.lower == self.upper
