"""Aspiration windows: guess the value, and search again only if the guess was wrong.

The narrower the window, the more is cut off. The value of the depth before is a good guess, except
where it swings from one depth to the next. A value outside of the window is only a bound, so the
search is repeated with that side open. See Marsland, A Review of Game-Tree Pruning, 1986.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ggp.search.core.result import BEST, WORST, DepthResult
from ggp.search.textbook.adversarial.alphabeta import Window

SPAN: Window = (WORST, BEST)
"""The window in which every goal lies: nothing is better than the best goal."""


def search(
    search_in: Callable[[Window], DepthResult], guess: float | None, width: float
) -> DepthResult:
    """The result that `search_in(SPAN)` would have, for less if the guess is good.

    Args:
        search_in: Searches in a window; called once or twice.
        guess: The value expected; None if there is no telling.
        width: How far the value may be from the guess, in points of the goal scale; 0 for any
            distance.
    """
    if guess is None or width <= 0:
        return search_in(SPAN)
    alpha, beta = max(WORST, guess - width), min(BEST, guess + width)
    found = search_in((alpha, beta))
    if found.value <= alpha and alpha > WORST:
        return _again(found, search_in((WORST, beta)))
    if found.value >= beta and beta < BEST:
        return _again(found, search_in((alpha, BEST)))
    return found


def _again(missed: DepthResult, found: DepthResult) -> DepthResult:
    return replace(
        found,
        nodes=missed.nodes + found.nodes,
        evaluations=missed.evaluations + found.evaluations,
        cutoffs=missed.cutoffs + found.cutoffs,
    )
