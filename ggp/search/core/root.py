"""The choice of a move at the root: one rule for all searches that prove bounds and count visits.

1. Choose a move that is proven to be the best.
2. Otherwise choose the move with the best guarantee, unless another move may give a higher goal and
   is expected to.
3. Among several such moves, choose the one that loses latest if all lose, wins soonest if all win,
   or has the highest expected goal if the other roles err.
4. Then apply the final rule: choose the move with the most visits, or with the best mean value.
   Break ties by the criterion that the rule does not use.

If several roles move at once and moves should not be predictable, draw the move at random.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import TypeVar

from ggp.search.core.result import WORST, MoveValue

Item = TypeVar("Item")
Bounds = tuple[float, float]
"""The lowest and the highest goal of a move, as far as is proven."""

FINAL_RULES = ("visits", "value")

RARE = 0.05  # moves with smaller shares are never drawn, because such shares are mostly noise


def floor_and_ceiling(bounds: Iterable[Bounds]) -> Bounds:
    """Return the best goal that any move guarantees, and the best goal that any still allows."""
    floor, ceiling = map(max, zip(*bounds, strict=True))
    return floor, ceiling


def may_be_best(bounds: Bounds, floor: float) -> bool:
    """Return whether a move may be the best if some move of the role guarantees `floor`.

    A move that gives exactly `floor` counts as possibly the best, unless `floor` is a loss. So such
    moves are still compared with each other.
    """
    lower, upper = bounds
    return upper > floor or (lower == floor and floor > WORST)


def is_decided(bounds: Iterable[Bounds]) -> bool:
    """Return whether a move is proven best, or only one move can still be the best."""
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
    """Return the rank of a move among its role's moves. The move with the highest rank is made.

    Args:
        floor: The best goal that any move guarantees.
        ceiling: The best goal that any move still allows.
        final: One of `FINAL_RULES`.
        patience: Preference among moves that all lose or that all win; higher is better.
        chance: Expected goal if the other roles err, to compare moves of equal proven value.
    """
    is_sure = move.limits[0] == floor == ceiling
    is_hopeful = may_be_best(move.limits, floor) and move.value >= floor
    figures = (float(move.visits), move.value)
    first, second = reversed(figures) if final == "value" else figures
    return is_sure, is_hopeful, patience, chance, first, second


def drawn_first(items: Sequence[Item], shares: Sequence[float], lot: float) -> list[Item]:
    """Draw one of the items, and return all items with the drawn one first.

    Return the items unchanged if all shares are below `RARE`.

    Args:
        shares: How often to draw each; they need not add up to 1.
        lot: The seed. The same `lot` draws the same item from the same shares.
    """
    kept = [share if share >= RARE else 0.0 for share in shares]
    if not any(kept):
        return list(items)
    index = random.Random(lot).choices(range(len(items)), kept)[0]
    return [items[index], *items[:index], *items[index + 1 :]]
