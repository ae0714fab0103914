"""The arrays of a state graph, and the kernels that add states to it.

Nodes are numbered in breadth-first order, and so are the edges, which are moves. Therefore the
edges of a node are consecutive, and the next move to make is always the next edge.
"""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gdl import kernel
from ggp.search.fast.tree.expansion import LeafBatch
from ggp.search.fast.tree.nodes import copy_words, wide
from ggp.search.kernels.arrays import NONE, IntArray, LongArray, Words
from ggp.search.kernels.hashing import mix

EDGES_PER_NODE: Final = 24
"""Room for moves. A graph with more moves per state has fewer states."""

# Bytes of a node without its state, of its share of the hash table, and of an edge
_NODE_BYTES = 18
_BUCKET_BYTES = 12
_EDGE_BYTES = 8

# Indices of `Graph.used`
NODES, EDGES, NEXT_EDGE, NEXT_PARENT, SUM = range(5)
NUM_COUNTS = 5

# Results of `add_nodes`
GROWING, NO_ROOM, UNSUITABLE = range(3)

NO_SUM_YET = -1
UNKNOWN = -1  # the goal of a node without a value


class Graph(NamedTuple):
    """`N` nodes in breadth-first order, with their `E` edges. A state has `W` words."""

    states: Words  # [N, W]
    phases: NDArray[np.int8]  # [N]
    deciders: NDArray[np.int8]  # [N] the role that may have a choice
    others: IntArray  # [N] the only move of the other role
    goals: NDArray[np.int16]  # [N] the goal of the first role if both play best, or `UNKNOWN`
    lengths: NDArray[np.int16]  # [N] plies to the end, if the winner hurries and the others delay
    first_edges: LongArray  # [N + 1] where the edges of each node begin
    moves: IntArray  # [E] the input of the role in `deciders`
    children: IntArray  # [E]
    buckets: IntArray  # [power of two] hash table: node + 1, or 0
    used: LongArray  # [NUM_COUNTS]


def make_graph(num_bytes: int, num_words: int) -> Graph:
    """Create an empty graph that takes about `num_bytes` bytes when it is full."""
    node_bytes = _NODE_BYTES + 8 * num_words + _BUCKET_BYTES + EDGES_PER_NODE * _EDGE_BYTES
    num_nodes = max(1024, num_bytes // node_bytes)
    num_edges = num_nodes * EDGES_PER_NODE
    used = np.zeros(NUM_COUNTS, np.int64)
    used[SUM] = NO_SUM_YET
    return Graph(  # arrays of zeros take memory only where they are used
        states=np.zeros((num_nodes, num_words), np.uint64),
        phases=np.zeros(num_nodes, np.int8),
        deciders=np.zeros(num_nodes, np.int8),
        others=np.zeros(num_nodes, np.int32),
        goals=np.zeros(num_nodes, np.int16),
        lengths=np.zeros(num_nodes, np.int16),
        first_edges=np.zeros(num_nodes + 1, np.int64),
        moves=np.zeros(num_edges, np.int32),
        children=np.zeros(num_edges, np.int32),
        buckets=np.zeros(1 << (num_nodes + num_nodes // 2).bit_length(), np.int32),
        used=used,
    )


def bytes_in_use(graph: Graph) -> int:
    """Return the bytes of all nodes and edges, and of the hash table."""
    num_nodes, num_edges = graph.used[[NODES, EDGES]].tolist()
    node_bytes = _NODE_BYTES + 8 * graph.states.shape[1]
    return int(node_bytes * num_nodes + _EDGE_BYTES * num_edges + graph.buckets.nbytes)


@kernel
def find(graph: Graph, state: Words, phase: int) -> int:
    """Return the node of a state, or NONE."""
    node, _ = find_bucket(graph, state, phase)
    return node


@kernel
def find_bucket(graph: Graph, state: Words, phase: int) -> tuple[int, int]:
    """Return the node of a state, or NONE, and the bucket where the node is or belongs."""
    mask = len(graph.buckets) - 1
    code = np.uint64(phase)
    for index in range(len(state)):
        code = mix(code ^ state[index])
    bucket = int(np.int64(code & np.uint64(mask)))
    while graph.buckets[bucket] != 0:
        node = wide(graph.buckets[bucket]) - 1
        if graph.phases[node] == phase:
            is_same = True
            for index in range(len(state)):
                is_same = is_same and graph.states[node, index] == state[index]
            if is_same:
                return node, bucket
        bucket = (bucket + 1) & mask
    return NONE, bucket


@kernel
def take_edges(graph: Graph, parents: Words, moves: IntArray) -> int:
    """Write the next moves to make to `moves`, and their states to `parents`. Return their number.

    Stop when the arrays are full, or when the phase of the states changes.
    """
    used = graph.used
    edge, node = wide(used[NEXT_EDGE]), wide(used[NEXT_PARENT])
    num, phase = 0, NONE
    while num < len(parents):
        while node < used[NODES] and edge >= graph.first_edges[node + 1]:
            node += 1
        if node >= used[NODES] or (phase not in (NONE, wide(graph.phases[node]))):
            break
        phase = wide(graph.phases[node])
        used[NEXT_PARENT] = node
        copy_words(graph.states[node], parents[num])
        decider = wide(graph.deciders[node])
        moves[num, decider] = graph.moves[edge]
        moves[num, 1 - decider] = graph.others[node]
        num += 1
        edge += 1
    used[NEXT_EDGE] = edge
    return num


@kernel
def add_nodes(
    graph: Graph, leaves: LeafBatch, num: int, phase: int, first_edge: int, is_root: bool
) -> int:
    """Add the states of leaves that are not in the graph yet, and let edges lead to them.

    Return GROWING. If the graph cannot be completed, return NO_ROOM if it is full, or UNSUITABLE if
    the game is not of the kind that it supports.

    Args:
        first_edge: The edge that leads to the first leaf. The next edges lead to the other leaves.
        is_root: Whether the only leaf is the root, to which no edge leads.
    """
    used = graph.used
    for leaf in range(num):
        node, bucket = find_bucket(graph, leaves.states[leaf], phase)
        if node == NONE:
            node = wide(used[NODES])
            if node + 1 >= len(graph.phases):
                return NO_ROOM
            status = set_node(graph, leaves, leaf, node, phase)
            if status != GROWING:
                return status
            graph.buckets[bucket] = node + 1
            used[NODES] = node + 1
        if not is_root:
            graph.children[first_edge + leaf] = node
    return GROWING


@kernel
def set_node(graph: Graph, leaves: LeafBatch, leaf: int, node: int, phase: int) -> int:
    """Write a new node's state, its moves, and its goal if the game is over.

    Return GROWING, NO_ROOM or UNSUITABLE, like `add_nodes`.
    """
    used = graph.used
    edge = wide(used[EDGES])
    graph.goals[node] = UNKNOWN
    if leaves.is_terminal[leaf]:
        total = wide(leaves.goals[leaf, 0]) + wide(leaves.goals[leaf, 1])
        if used[SUM] == NO_SUM_YET:
            used[SUM] = total
        if used[SUM] != total:
            return UNSUITABLE
        graph.goals[node] = leaves.goals[leaf, 0]
    else:
        start, middle = wide(leaves.legal_starts[2 * leaf]), wide(leaves.legal_starts[2 * leaf + 1])
        end = wide(leaves.legal_starts[2 * leaf + 2])
        if middle in (start, end) or (middle - start > 1 and end - middle > 1):
            return UNSUITABLE
        decider = 1 if end - middle > 1 else 0
        if decider == 1:
            start, middle, end = middle, end, start
            graph.others[node] = leaves.legal[end]
        else:
            graph.others[node] = leaves.legal[middle]
        graph.deciders[node] = decider
        if edge + middle - start > len(graph.moves):
            return NO_ROOM
        for place in range(start, middle):
            graph.moves[edge] = leaves.legal[place]
            edge += 1
    copy_words(leaves.states[leaf], graph.states[node])
    graph.phases[node] = phase
    graph.lengths[node] = 0
    graph.first_edges[node + 1] = used[EDGES] = edge
    return GROWING
