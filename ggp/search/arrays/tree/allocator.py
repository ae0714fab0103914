"""Room in the pool: where a new node, its edges and its joint children may stand.

Each kind of room is looked through in a circle, from where the last search ended, so room that was
freed is found again wherever it is. Edges of a node stand in a row; they take whole grains, so that
a byte says whether several are taken.
"""

from __future__ import annotations

from gdl import kernel
from ggp.search.arrays.tree.pool import (
    EDGE_HAND,
    EDGES,
    FREE,
    GRAIN,
    JOINT_HAND,
    JOINTS,
    LIVE,
    NODE_HAND,
    NODES,
    NONE,
    NOW,
    Pool,
)

MOST_LOOKS = 512  # at one request: where there is hardly any room, finding it would take too long


@kernel
def take_node(pool: Pool) -> int:
    """A free node, live from now on; NONE if none was found."""
    size, node = len(pool.fates), int(pool.used[NODE_HAND])
    for _ in range(MOST_LOOKS):
        if node >= size:
            node = 0
        if pool.fates[node] == FREE:
            pool.fates[node] = LIVE
            pool.stamps[node] = pool.used[NOW]
            pool.used[NODE_HAND] = node + 1
            pool.used[NODES] += 1
            return node
        node += 1
    pool.used[NODE_HAND] = node
    return NONE


@kernel
def take_edges(pool: Pool, num: int) -> int:
    """The first of so many free edges in a row, taken from now on; NONE if none were found."""
    if num == 0:
        return 0
    grains = (num + GRAIN - 1) // GRAIN
    size, first = len(pool.taken), int(pool.used[EDGE_HAND])
    for _ in range(MOST_LOOKS):
        if first + grains > size:
            first = 0
        last = first + grains - 1
        while last >= first and pool.taken[last] == 0:
            last -= 1
        if last < first:
            for grain in range(first, first + grains):
                pool.taken[grain] = 1
            pool.used[EDGE_HAND] = first + grains
            pool.used[EDGES] += grains * GRAIN
            return first * GRAIN
        first = last + 1
    pool.used[EDGE_HAND] = first
    return NONE


@kernel
def give_edges_back(pool: Pool, first: int, num: int) -> None:
    """Give up so many edges in a row, as they were taken."""
    grains = (num + GRAIN - 1) // GRAIN
    for grain in range(first // GRAIN, first // GRAIN + grains):
        pool.taken[grain] = 0
    pool.used[EDGES] -= grains * GRAIN


@kernel
def free_node(pool: Pool, node: int) -> None:
    """Give up a node and its edges; nothing refers to it any more."""
    start = int(pool.first_edges[node, 0])
    give_edges_back(pool, start, int(pool.first_edges[node, pool.lower.shape[1]]) - start)
    pool.used[NODES] -= 1
    pool.fates[node] = FREE


@kernel
def take_joint(pool: Pool) -> int:
    """A free entry for a joint child; NONE if none was found."""
    size, entry = len(pool.joint_nodes), int(pool.used[JOINT_HAND])
    for _ in range(MOST_LOOKS):
        if entry >= size:
            entry = 0
        if pool.joint_nodes[entry] == NONE:
            pool.used[JOINT_HAND] = entry + 1
            pool.used[JOINTS] += 1
            return entry
        entry += 1
    pool.used[JOINT_HAND] = entry
    return NONE


@kernel
def free_joint(pool: Pool, entry: int) -> None:
    """Give up an entry; it is in no list and no table any more."""
    pool.joint_nodes[entry] = NONE
    pool.used[JOINTS] -= 1


def clear(pool: Pool) -> None:
    """Give up everything."""
    pool.used[[NODES, EDGES, JOINTS, NODE_HAND, EDGE_HAND, JOINT_HAND]] = 0
    pool.fates[:] = FREE
    pool.taken[:] = 0
    pool.joint_nodes[:] = NONE
    pool.buckets[:] = NONE
    pool.joint_buckets[:] = NONE
