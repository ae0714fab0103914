"""From the values of the moves to the answer of a search."""

from __future__ import annotations

from collections.abc import Mapping

import gdl
from ggp.search.core.result import BEST, WORST, DepthResult, MoveValue, SearchResult
from ggp.search.textbook.chance.ply import Ground


def depth_result(
    values: Mapping[gdl.Move, float], ground: Ground, depth: int, *, is_guaranteed: bool
) -> DepthResult:
    """The best move first, of equal ones the one that the rules name first.

    Args:
        values: Of each own move, in the order of the rules.
        ground: What was counted.
        depth: Plies looked ahead.
        is_guaranteed: Whether nobody can bring the role below the values, if all was seen. That is
            so if the others are taken to be against it.
    """
    is_complete = not ground.was_cut
    moves = tuple(
        MoveValue(
            move,
            value,
            1,
            lower=value if is_complete and is_guaranteed else WORST,
            upper=value if is_complete and is_guaranteed else BEST,
        )
        for move, value in sorted(values.items(), key=lambda item: -item[1])
    )
    best = moves[0]
    return DepthResult(
        SearchResult(best.move, best.value, ground.nodes, best.lower, best.upper, moves=moves),
        depth,
        ground.nodes,
        ground.evaluations,
        is_complete=is_complete,
    )
