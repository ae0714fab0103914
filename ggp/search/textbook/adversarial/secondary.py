"""Secondary search: before a move is made, look further along it alone.

From "Game Playing", on the horizon effect:

    1. find the best move looking to depth d
    2. look k steps beyond to verify that it still looks good
    3. if it does not, repeat step 2 for the next best move
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import gdl
from ggp.search.core.result import DepthResult, MoveValue

TOLERANCE = 5.0
"""A move still looks good if it lost no more than this, in points of the goal scale."""

Look = Callable[[Sequence[gdl.Move], int], DepthResult]
"""Searches to a depth for the best among some moves of the root."""


def search(
    look: Look, moves: Sequence[gdl.Move], depth: int, beyond: int, tolerance: float = TOLERANCE
) -> DepthResult:
    """The best move at a depth that still looks good some plies beyond it.

    If none does, the one that looks best there. Its value is the deeper one.

    Args:
        look: The search.
        moves: The moves to choose among; at least one.
        depth: Plies of the first look (`d`).
        beyond: Plies more of the second one (`k`).
        tolerance: What a value may lose and still look good.
    """
    first = found = look(moves, depth)
    if first.is_complete:  # a second look would find the same
        return first
    rest, verified, results = list(moves), list[DepthResult](), [first]
    while True:
        best = found.result.move
        verified.append(look([best], depth + beyond))
        results.append(verified[-1])
        rest.remove(best)
        if not rest or verified[-1].value >= found.value - tolerance:
            break
        found = look(rest, depth)
        results.append(found)
        if found.value <= max(result.value for result in verified):
            break  # what is left looks worse than what was verified
    return _conclude(first, verified, results)


def _conclude(
    first: DepthResult, verified: Sequence[DepthResult], results: Sequence[DepthResult]
) -> DepthResult:
    """The best of what was verified, at the cost of everything."""
    ranked = sorted(verified, key=lambda each: each.value, reverse=True)
    seen: list[MoveValue] = [each.result.moves[0] for each in ranked]
    names = {each.move for each in seen}
    others = [each for each in first.result.moves if each.move not in names]
    nodes = sum(each.nodes for each in results)
    return replace(
        first,
        result=replace(ranked[0].result, visits=nodes, moves=(*seen, *others)),
        nodes=nodes,
        evaluations=sum(each.evaluations for each in results),
        cutoffs=sum(each.cutoffs for each in results),
    )
