"""From the outlooks of the root's moves to the answer of a search."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import gdl
from ggp.search.core.result import BEST, WORST, DepthResult, MoveValue, SearchResult
from ggp.search.textbook.adversarial.bounded_value import BoundedValue, unrolled
from ggp.search.textbook.adversarial.scope import Scope


class MoveFinding(NamedTuple):
    """The result of the search for one move of the root."""

    move: gdl.Move
    outlook: BoundedValue
    nodes: int
    """States visited for it."""


def first_to_front(moves: Sequence[gdl.Move], first: gdl.Move | None) -> list[gdl.Move]:
    """The moves in their order, but one of them first, if it is among them."""
    return sorted(moves, key=lambda move: move is not first)


def conclude(
    findings: Sequence[MoveFinding], scope: Scope, depth: int | None, *, is_cut: bool = False
) -> DepthResult:
    """The best move and the figures; of moves worth the same, the guaranteed, then the first.

    `is_cut` says that there are moves about which nothing was found.
    """
    ranked = sorted(findings, key=_preference, reverse=True)  # stable: the first stays first
    moves = tuple(map(_move_value, ranked))
    best = moves[0]
    result = SearchResult(
        move=best.move,
        value=best.value,
        visits=scope.nodes,
        lower=best.lower,
        upper=best.upper,
        line=unrolled(ranked[0].outlook.line),
        moves=moves,
    )
    return DepthResult(
        result=result,
        depth=scope.deepest if depth is None else depth,
        nodes=scope.nodes,
        evaluations=scope.evaluations,
        cutoffs=scope.cutoffs,
        is_complete=best.lower >= (BEST if is_cut else max(each.upper for each in moves)),
    )


def _preference(finding: MoveFinding) -> tuple[float, float]:
    # An unknown lower bound is the worst goal: of lost moves the one looked at first stays first.
    return (finding.outlook.value, _move_value(finding).lower)


def _move_value(finding: MoveFinding) -> MoveValue:
    outlook = finding.outlook
    is_proven = outlook.lower == outlook.upper
    return MoveValue(
        move=finding.move,
        value=outlook.value,
        visits=finding.nodes,
        lower=WORST if outlook.lower == -math.inf else outlook.lower,
        upper=BEST if outlook.upper == math.inf else outlook.upper,
        length=len(unrolled(outlook.line)) if is_proven else None,
    )
