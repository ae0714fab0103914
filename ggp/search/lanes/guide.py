"""What guides the choice of moves besides UCB1; everything here is off unless it is asked for.

- First-play urgency: a move that was never made counts as much as all others on average and a
  bit more, instead of coming first (Gelly and Wang, Exploration Exploitation in Go, 2006).
- Progressive history: how well a move does wherever it is made adds to its score, the less the
  more often it was made here and the better it did (Nijssen and Winands, Enhancements for
  Multi-Player Monte-Carlo Tree Search, 2011). Among moves never made it breaks the tie.
- GRAVE: what a table of moves says counts as long as a move has few rounds of its own, see `amaf`.

If nothing guides, the guide is None. Only functions that have it as an argument of its own ask for
that: there the compiler knows the answer, and a search without a guide does not pay for it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

import gdl
from ggp.search.lanes.amaf import NO_TABLE, Amaf, make_amaf, trust
from ggp.search.lanes.jit import kernel
from ggp.search.lanes.pool import BEST, NONE, WORST, Pool
from ggp.search.lanes.prove import bounds_of
from ggp.search.lanes.settings import LaneSettings

FloatArray = NDArray[np.float64]

UNSEEN = 50.0  # what a move is thought to be worth that was made nowhere yet
TIE = 1e-3  # of simultaneous moves, those whose scores are this close are as good


class Guide(NamedTuple):
    """What guides the choice. `I` inputs."""

    fpu: float  # a move never made counts as the average and so much, in 0..1; or infinity
    history: float  # weight of progressive history
    counts: FloatArray  # [I] how often each input was made in the tree; it fades from turn to turn
    sums: FloatArray  # [I] of the goals that its role had then
    amaf: Amaf  # tables of nodes, for GRAVE


def make_guide(
    settings: LaneSettings, inputs: Sequence[tuple[int, gdl.Move]], num_nodes: int
) -> Guide | None:
    """A guide that knows of no move yet; None if nothing guides.

    Args:
        settings: What is to guide the choice.
        inputs: Role index and move of each.
        num_nodes: Of the tree.
    """
    if settings.fpu is None and not settings.history and not settings.grave:
        return None
    size = len(inputs) if settings.history else 1
    roles = np.array([role for role, _ in inputs], np.int32)
    return Guide(
        fpu=math.inf if settings.fpu is None else settings.fpu,
        history=settings.history,
        counts=np.zeros(size),
        sums=np.zeros(size),
        amaf=make_amaf(settings.grave, num_nodes, roles, settings.memory),
    )


@kernel
def table_at(guide: Guide | None, node: int, above: int) -> int:
    """The table of moves to trust at a node: its own, or that of above."""
    if guide is None:
        return above
    if guide.amaf.ref == 0:
        return above
    table = int(guide.amaf.table_of[node])
    return table if table != NO_TABLE and guide.amaf.rounds[table] >= guide.amaf.ref else above


@kernel
def choose_guided(
    pool: Pool, node: int, role: int, bonus: float, guide: Guide | None, at: tuple[int, int]
) -> tuple[int, int]:
    """The edge that a role takes, of those that may still be the best; NONE if there is none.

    There is none either if nothing guides. Also a solved child that is better still, or NONE: see
    `descend`.

    Args:
        pool: The tree.
        node: Where the role has several moves.
        role: Who chooses.
        bonus: What exploration adds to the score of a move made once.
        guide: What guides the choice.
        at: The table to trust, and the edge from which on ties go to whoever comes first.
    """
    if guide is None:
        return NONE, NONE
    table, start = at
    first, last = int(pool.first_edges[node, role]), int(pool.first_edges[node, role + 1])
    is_key = pool.deciders[node] == role
    looks = is_key and pool.has_news[node] != 0
    floor, tie = float(pool.lower[node, role]), 0.0 if is_key else TIE
    best, best_score = NONE, -1.0
    fresh, fresh_score = NONE, -1.0
    sure, sure_value = NONE, -1.0
    num, total = 0, 0.0
    edge = start
    for _ in range(last - first):
        low, high = bounds_of(pool, int(pool.children[edge]), role) if looks else (WORST, BEST)
        if low == high and low > sure_value:
            sure, sure_value = edge, low
        number, count = int(pool.inputs[edge]), int(pool.counts[edge])
        lean = _lean(guide, number)
        said, trusted = _said(guide, table, number, count)
        if low == high or high <= floor:
            pass  # it cannot be better than what is known
        elif count == 0:
            if lean + said > fresh_score:
                fresh, fresh_score = edge, lean + said
        else:
            num += count
            total += pool.values[edge] * pool.done[edge]
            mean = pool.values[edge] * pool.done[edge] / count
            value = min(max(mean + trusted * (said - mean), low), high)
            score = value + bonus / math.sqrt(count) + lean / (1 + count * (1 - value / BEST))
            if score > best_score + tie:
                best, best_score = edge, score
        edge = edge + 1 if edge + 1 < last else first
    if fresh != NONE and _urgency(guide, table, num, total) + fresh_score > best_score:
        best, best_score = fresh, _urgency(guide, table, num, total) + fresh_score
    return best, (int(pool.children[sure]) if sure_value > best_score else NONE)


@kernel
def _lean(guide: Guide, number: int) -> float:
    """What the history of an input adds to its score, before visits make it less."""
    if guide.history == 0:
        return 0.0
    count = guide.counts[number]
    return guide.history * (guide.sums[number] / count if count > 0 else UNSEEN)


@kernel
def _said(guide: Guide, table: int, number: int, own_count: int) -> tuple[float, float]:
    """What the table says of an input's value, and how far to trust it; 0 if there is none."""
    if table == NO_TABLE:
        return 0.0, 0.0
    count = float(guide.amaf.counts[table, number])
    if count == 0:
        return UNSEEN, 0.0
    return float(guide.amaf.sums[table, number]) / count, trust(count, own_count)


@kernel
def _urgency(guide: Guide, table: int, num: int, total: float) -> float:
    """What is added to the score of a move that was never made.

    Without a table it counts as the others on average, which were made so often in total.
    """
    average = (total / num if num else UNSEEN) if table == NO_TABLE else 0.0
    return average + BEST * guide.fpu
