"""Root-parallel search: what several trees found out about one position, taken together.

Chaslot, Winands and van den Herik, Parallel Monte-Carlo Tree Search, 2008.
"""

from __future__ import annotations

from collections.abc import Sequence

import gdl
from ggp.search import root
from ggp.search.result import MoveValue, SearchResult
from ggp.search.root import drawn_first, floor_and_ceiling, rank


def merged(
    results: Sequence[SearchResult], leader: int | None = None, lot: float = 0.0
) -> SearchResult:
    """One result of several about the same position.

    Visits and sums of each move are added; what any tree has proven is proven.

    Args:
        results: Of at least one tree.
        leader: The tree that knows the best move for sure, so its order stands; None if none does.
        lot: From 0 to 1; where several roles decide at once, the move is drawn by it.
    """
    values = _merged_values([result.moves for result in results])
    if leader is None:
        floor, ceiling = floor_and_ceiling((each.lower, each.upper) for each in values.values())
        ordered = sorted(values.values(), key=lambda v: rank(v, floor, ceiling), reverse=True)
        if not ordered[0].lower == floor == ceiling:
            ordered = drawn_first(ordered, [value.share for value in ordered], lot)
    else:
        ordered = [values[each.move] for each in results[leader].moves]
    best = ordered[0]
    return SearchResult(
        move=best.move,
        value=best.value,
        visits=sum(result.visits for result in results),
        lower=best.lower,
        upper=best.upper,
        line=_line(results, best.move),
        moves=tuple(ordered),
    )


def is_decided(trees: Sequence[Sequence[tuple[float, float]]]) -> bool:
    """Whether one move is known to be the best, or the only one that may be.

    Args:
        trees: What each tree has proven of each move: the least and the most it may bring.
    """
    return root.is_decided(
        (max(low for low, _ in each), min(high for _, high in each))
        for each in zip(*trees, strict=True)
    )


def _merged_values(trees: Sequence[Sequence[MoveValue]]) -> dict[gdl.Move, MoveValue]:
    found: dict[gdl.Move, list[MoveValue]] = {}
    for values in trees:
        for value in values:
            found.setdefault(value.move, []).append(value)
    return {move: _one_of(values) for move, values in found.items()}


def _one_of(values: Sequence[MoveValue]) -> MoveValue:
    """The values that several trees give one move, as one."""
    visits = sum(value.visits for value in values)
    total = sum(value.value * value.visits for value in values)
    mean = total / visits if visits else values[0].value
    lower = max(value.lower for value in values)
    upper = max(lower, min(value.upper for value in values))
    lengths = [value.length for value in values if value.length is not None]
    length = min(lengths, default=None)
    share = sum(value.share for value in values) / len(values)
    return MoveValue(
        values[0].move, min(max(mean, lower), upper), visits, lower, upper, length, share
    )


def _line(results: Sequence[SearchResult], move: gdl.Move) -> tuple[tuple[gdl.Move, ...], ...]:
    """The line expected after a move, by the tree that looked at it most of those that have one."""

    def visits(result: SearchResult) -> tuple[bool, int]:
        looked = next(value.visits for value in result.moves if value.move is move)
        return result.move is move, looked

    return max(results, key=visits).line
