"""First-play urgency: what a move counts for that was never made, where it does not come first.

It counts as much as all others on average and a bit more (Gelly and Wang, Exploration Exploitation
in Go, 2006).

Without it, it is None. Only a function that has it as an argument of its own asks for that: there
the compiler knows the answer, and a search without urgency does not pay for it.
"""

from __future__ import annotations

import math

from ggp.search.lanes.jit import kernel
from ggp.search.lanes.pool import BEST, NONE, WORST, Pool
from ggp.search.lanes.prove import bounds_of

UNSEEN = 50.0  # what moves are thought to be worth where none was made yet
TIE = 1e-3  # of simultaneous moves, those whose scores are this close are as good


@kernel
def choose_urgent(
    pool: Pool, node: int, role: int, start: int, bonus: float, fpu: float | None
) -> tuple[int, int]:
    """The edge that a role takes, of those that may still be the best; NONE if there is none.

    There is none either without urgency. Also a solved child that is better still, or NONE: see
    `descend`.

    Args:
        pool: The tree.
        node: Where the role has several moves.
        role: Who chooses.
        start: The edge from which on ties go to whoever comes first.
        bonus: What exploration adds to the score of a move made once.
        fpu: A move never made counts as the average and so much, for goals from 0 to 1; or None.
    """
    if fpu is None:
        return NONE, NONE
    first, last = int(pool.first_edges[node, role]), int(pool.first_edges[node, role + 1])
    is_key = pool.deciders[node] == role
    looks = is_key and pool.has_news[node] != 0
    floor, tie = float(pool.lower[node, role]), 0.0 if is_key else TIE
    best, best_score = NONE, -1.0
    sure, sure_value = NONE, -1.0
    fresh, num, total = NONE, 0, 0.0
    edge = start
    for _ in range(last - first):
        low, high = bounds_of(pool, int(pool.children[edge]), role) if looks else (WORST, BEST)
        if low == high and low > sure_value:
            sure, sure_value = edge, low
        count = int(pool.counts[edge])
        if low == high or high <= floor:
            pass  # it cannot be better than what is known
        elif count == 0:
            fresh = edge if fresh == NONE else fresh
        else:
            num += count
            brought = float(pool.values[edge]) * pool.done[edge]
            total += brought
            score = min(max(brought / count, low), high) + bonus / math.sqrt(count)
            if score > best_score + tie:
                best, best_score = edge, score
        edge = edge + 1 if edge + 1 < last else first
    urgency = (total / num if num else UNSEEN) + BEST * fpu
    if fresh != NONE and urgency > best_score:
        best, best_score = fresh, urgency
    return best, (int(pool.children[sure]) if sure_value > best_score else NONE)
