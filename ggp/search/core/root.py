"""The choice of a move at the root: one rule for all searches that prove bounds and count visits.

1. A move that is known to be the best.
2. Else a guarantee is taken, unless a move that may give more is also expected to give more.
3. Of several such moves the one that lasts longest where all is lost, wins soonest where it is won,
   or brings most if the others err.
4. Then the final rule: most visits, or the best mean value; ties by the other one.

Where several roles decide at once, and none should be foreseen, the move is sampled.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import TypeVar

from ggp.search.core.result import WORST, MoveValue

Item = TypeVar("Item")
Bounds = tuple[float, float]
"""The least and the most that a move may bring, as far as that is known."""

FINAL_RULES = ("visits", "value")

RARE = 0.05  # what should be made less often is not made: that is more often an error than a plan


def floor_and_ceiling(bounds: Iterable[Bounds]) -> Bounds:
    """The best that any move guarantees, and the best that any still allows."""
    floor, ceiling = map(max, zip(*bounds, strict=True))
    return floor, ceiling


def may_be_best(bounds: Bounds, floor: float) -> bool:
    """Whether a move may be the best where another one guarantees `floor`.

    A move that gives exactly the guarantee may, for others to be measured against, unless the
    guarantee is a loss.
    """
    lower, upper = bounds
    return upper > floor or (lower == floor and floor > WORST)


def is_decided(bounds: Iterable[Bounds]) -> bool:
    """Whether one move is known to be the best, or the only one that may be."""
    known = list(bounds)
    floor, ceiling = floor_and_ceiling(known)
    return floor >= ceiling or sum(may_be_best(each, floor) for each in known) == 1


def rank(
    move: MoveValue,
    floor: float,
    ceiling: float,
    *,
    final: str = "visits",
    patience: float = 0.0,
    chance: float = 0.0,
) -> tuple[bool, bool, float, float, float, float]:
    """The rank of a move among those of its role; the highest is made.

    Args:
        floor: The best that any move guarantees.
        ceiling: The best that any move still allows.
        final: One of `FINAL_RULES`.
        patience: Among moves that are all lost or all won, the more the better.
        chance: Goals to be expected if the others err, among moves of equal proven value.
    """
    is_sure = move.limits[0] == floor == ceiling
    is_hopeful = may_be_best(move.limits, floor) and move.value >= floor
    figures = (float(move.visits), move.value)
    first, second = reversed(figures) if final == "value" else figures
    return is_sure, is_hopeful, patience, chance, first, second


def drawn_first(items: Sequence[Item], shares: Sequence[float], lot: float) -> list[Item]:
    """The items, one of them, sampled, at the front; as they are if nothing is to be sampled.

    Args:
        shares: How often to draw each; they need not add up to 1.
        lot: The same one draws the same item from the same shares.
    """
    kept = [share if share >= RARE else 0.0 for share in shares]
    if not any(kept):
        return list(items)
    index = random.Random(lot).choices(range(len(items)), kept)[0]
    return [items[index], *items[:index], *items[index + 1 :]]
