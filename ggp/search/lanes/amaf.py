"""All moves as first: how well each move did wherever it was made below a node, playouts included.

A node that was visited often enough gets a table with an entry for each input. Choosing below it
trusts the table of the nearest ancestor that has seen enough rounds: GRAVE (Cazenave, Generalized
Rapid Action Value Estimation, 2015). Counts are in rounds, as those of edges, so that the two can
be weighed against each other.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ggp.search.lanes.jit import kernel
from ggp.search.lanes.pool import IntArray, Pool

NO_TABLE = 0  # the first table is nobody's

BIAS = 1e-2  # how soon a move's own rounds outweigh those in which it was made later
SHARE = 8  # tables take so much less memory than the tree
BYTES_PER_ENTRY = 8
MOST_TABLES = 1 << 16


class Amaf(NamedTuple):
    """Tables of nodes. `N` nodes, `T` tables, `I` inputs; next to nothing if it is off."""

    ref: float  # rounds that a table must have seen to be trusted; 0: there are no tables
    table_of: IntArray  # [N]
    rounds: NDArray[np.float64]  # [T] that a table has seen
    counts: NDArray[np.float32]  # [T, I] rounds in which a move was made
    sums: NDArray[np.float32]  # [T, I] of the goals that its role had then
    free: IntArray  # [T] tables that are nobody's, from the front
    num_free: NDArray[np.int64]  # [1]
    role_of: IntArray  # [I]
    room: NDArray[np.float64]  # [2, I] counts and sums of one round
    means: NDArray[np.float64]  # [R] goals of its playouts


def make_amaf(ref: float, num_nodes: int, roles: IntArray, num_bytes: int) -> Amaf:
    """Tables that nobody has yet.

    Args:
        ref: Rounds that a table must have seen to be trusted; 0: there are no tables.
        num_nodes: Of the tree.
        roles: `[I]` whose input each is.
        num_bytes: That the tree takes.
    """
    num_inputs = len(roles) if ref else 1
    wanted = num_bytes // SHARE // (BYTES_PER_ENTRY * num_inputs)
    num_tables = min(MOST_TABLES, num_nodes, 2 + wanted) if ref else 1
    amaf = Amaf(
        ref=ref,
        table_of=np.zeros(num_nodes if ref else 1, np.int32),
        rounds=np.zeros(num_tables),
        counts=np.zeros((num_tables, num_inputs), np.float32),
        sums=np.zeros((num_tables, num_inputs), np.float32),
        free=np.zeros(num_tables, np.int32),
        num_free=np.zeros(1, np.int64),
        role_of=roles.astype(np.int32),
        room=np.zeros((2, num_inputs)),
        means=np.zeros(1 + int(roles.max(initial=0))),
    )
    reclaim(amaf)
    return amaf


def reclaim(amaf: Amaf) -> None:
    """Take back the tables of nodes that are no more.

    If few are left then, most belong to nodes of earlier turns, so all are taken back: new ones
    fill up soon.
    """
    free = _free_tables(amaf)
    if 2 * len(free) < len(amaf.free) - 1:
        amaf.table_of[:] = NO_TABLE
        free = _free_tables(amaf)
    amaf.free[: len(free)] = free[::-1]  # the first ones are taken first
    amaf.num_free[0] = len(free)


def _free_tables(amaf: Amaf) -> NDArray[np.intp]:
    is_free = np.ones(len(amaf.free), np.bool_)
    is_free[amaf.table_of] = False
    is_free[NO_TABLE] = False
    return np.flatnonzero(is_free)


@kernel
def trust(count: float, own_count: int) -> float:
    """What part of a move's value its table tells: 1 without own rounds, less with each."""
    return count / (count + own_count + BIAS * count * own_count)


@kernel
def add_round(amaf: Amaf, pool: Pool, node: int) -> None:
    """Add a round, as it stands in the room, to the table of a node, if it has or gets one."""
    table = int(amaf.table_of[node])
    if table == NO_TABLE:
        left = int(amaf.num_free[0])
        if left == 0 or 2 * pool.visits[node] < amaf.ref:
            return
        table = int(amaf.free[left - 1])
        amaf.num_free[0] = left - 1
        amaf.table_of[node] = table
        amaf.rounds[table] = 0
        for number in range(amaf.counts.shape[1]):
            amaf.counts[table, number] = 0
            amaf.sums[table, number] = 0
    amaf.rounds[table] += 1
    for number in range(amaf.counts.shape[1]):
        amaf.counts[table, number] += amaf.room[0, number]
        amaf.sums[table, number] += amaf.room[1, number]
