"""Drawing lots: the move made where several roles decide at once and none should be foreseen."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import TypeVar

Item = TypeVar("Item")

RARE = 0.05  # what should be made less often is not made: that is more often an error than a plan


def drawn_first(items: Sequence[Item], shares: Sequence[float], lot: float) -> list[Item]:
    """The items, one of them, drawn by lot, at the front; as they are if nothing is to be drawn.

    Args:
        items: In any order.
        shares: How often to draw each; they need not add up to 1.
        lot: The same one draws the same item from the same shares.
    """
    kept = [share if share >= RARE else 0.0 for share in shares]
    if not any(kept):
        return list(items)
    index = random.Random(lot).choices(range(len(items)), kept)[0]
    return [items[index], *items[:index], *items[index + 1 :]]
