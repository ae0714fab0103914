"""The trees of all roles, in arrays of a fixed size, with a node for each information set.

The key of a node is the hash of its role's own moves and percepts so far
(`ggp.belief.information`). Roles start with different keys, so one table serves all trees. The
edges of a node are next to each other. If a node is visited in a world with legal moves that it
lacks, its edges are moved to a larger block.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gdl import kernel
from ggp.search.kernels.arrays import NONE, FloatArray, IntArray, LongArray, Words
from ggp.search.kernels.hashing import bucket_of

NODES, EDGES = range(2)  # indices into `Trees.used`
DOUBT = 20.0  # weight, in visits, of the assumption that all moves are equally likely
BYTES_PER_NODE = 24
BYTES_PER_EDGE = 28
EDGES_PER_NODE = 8  # room for edges, on average


class Trees(NamedTuple):
    """Trees with a capacity of `N` nodes and `E` edges."""

    buckets: IntArray  # [a power of two] hash table of nodes by their key; NONE if empty
    keys: Words  # [N] the hash of what the role knows
    firsts: IntArray  # [N] first edge
    sizes: IntArray  # [N] number of edges
    moves: IntArray  # [E] the input of the edge's move
    visits: FloatArray  # [E] sum of the weights of the iterations that took the edge
    available: FloatArray  # [E] sum of the weights of the iterations in which the move was legal
    totals: FloatArray  # [E] sum of the weighted rewards from 0 to 1, for the node's role
    used: LongArray  # [2] numbers of used nodes and edges


def make_trees(num_bytes: int) -> Trees:
    """Create empty trees of about `num_bytes` bytes."""
    num_nodes = max(64, num_bytes // (BYTES_PER_NODE + EDGES_PER_NODE * BYTES_PER_EDGE))
    num_edges = EDGES_PER_NODE * num_nodes
    return Trees(
        buckets=np.full(1 << (2 * num_nodes - 1).bit_length(), NONE, np.int32),
        keys=np.zeros(num_nodes, np.uint64),
        firsts=np.zeros(num_nodes, np.int32),
        sizes=np.zeros(num_nodes, np.int32),
        moves=np.zeros(num_edges, np.int32),
        visits=np.zeros(num_edges),
        available=np.zeros(num_edges),
        totals=np.zeros(num_edges),
        used=np.zeros(2, np.int64),
    )


def clear(trees: Trees) -> None:
    """Remove all nodes and edges."""
    trees.buckets[:] = NONE
    trees.used[:] = 0


def is_half_full(trees: Trees) -> bool:
    """Return whether more than half of the nodes or edges are used."""
    nodes, edges = trees.used.tolist()
    return bool(2 * nodes > len(trees.keys) or 2 * edges > len(trees.moves))


@kernel
def add_node(trees: Trees, bucket: int, key: np.uint64, moves: IntArray, num: int) -> int:
    """Add a node with `num` legal moves and return its number, or NONE if the trees are full."""
    node, first = trees.used[NODES], trees.used[EDGES]
    if node >= len(trees.keys) or first + num > len(trees.moves):
        return NONE
    trees.used[NODES] += 1
    trees.used[EDGES] += num
    trees.buckets[bucket] = node
    trees.keys[node] = key
    trees.firsts[node] = first
    trees.sizes[node] = num
    for k in range(num):
        _begin_edge(trees, first + k, moves[k])
    return int(node)


@kernel
def _begin_edge(trees: Trees, edge: int, move: int) -> None:
    trees.moves[edge] = move
    trees.visits[edge] = 0.0
    trees.available[edge] = 0.0
    trees.totals[edge] = 0.0


@kernel
def has_moves(trees: Trees, node: int, moves: IntArray, num: int) -> bool:
    """Return whether the edges of a node have exactly these moves, in this order."""
    first = trees.firsts[node]
    if trees.sizes[node] != num:
        return False
    num_same = 0
    for k in range(num):
        num_same += trees.moves[first + k] == moves[k]
    return num_same == num


@kernel
def add_moves(trees: Trees, node: int, moves: IntArray, num: int) -> bool:
    """Add edges for moves that a node lacks. Return False if the trees have no room for them."""
    old, size, first = trees.firsts[node], trees.sizes[node], trees.used[EDGES]
    if first + size + num > len(trees.moves):
        return False
    for k in range(size):
        trees.moves[first + k] = trees.moves[old + k]
        trees.visits[first + k] = trees.visits[old + k]
        trees.available[first + k] = trees.available[old + k]
        trees.totals[first + k] = trees.totals[old + k]
    end = first + size
    for k in range(num):
        is_known = False
        for edge in range(first, first + size):
            is_known = is_known or trees.moves[edge] == moves[k]
        if not is_known:
            _begin_edge(trees, end, moves[k])
            end += 1
    trees.firsts[node] = first
    trees.sizes[node] = end - first
    trees.used[EDGES] = end
    return True


@kernel
def write_likelihoods(
    trees: Trees,
    keys: Words,
    numbers: IntArray,
    move_numbers: IntArray,
    trust: float,
    found: FloatArray,
) -> None:
    """Write the likelihood of each of `N` moves, relative to the average move of its node.

    The likelihood is the probability of the move times the number of moves of its node, or 1 if the
    trees lack the node. The probability is a mean of two shares: the move's share of the visits,
    with weight `trust`, and an equal share, with weight `1 - trust`. The fewer visits the node has,
    the closer the first share is taken to the second.

    Args:
        keys: `[N]` the key of each move's node.
        numbers: `[N]` the number of each move among those of its role.
        move_numbers: `[I]` the number of each input's move.
        trust: From 0 to 1.
        found: `[N]` receives the likelihoods.
    """
    for k in range(len(keys)):
        found[k] = 1.0
        node = trees.buckets[bucket_of(trees.buckets, trees.keys, keys[k])]
        if node == NONE:
            continue
        sum_visits, visits = 0.0, 0.0
        for edge in range(trees.firsts[node], trees.firsts[node] + trees.sizes[node]):
            sum_visits += trees.visits[edge]
            if move_numbers[trees.moves[edge]] == numbers[k]:
                visits = trees.visits[edge]
        share = (visits + DOUBT / trees.sizes[node]) / (sum_visits + DOUBT)
        found[k] = 1 - trust + trust * share * trees.sizes[node]
