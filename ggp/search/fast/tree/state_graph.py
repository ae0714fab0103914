"""Exact values of all states that can still be reached, where these are few.

The graph of states grows breadth first, many states at once. Equal states are one node, so a game
such as nim with a million lines of play has a small graph. When the graph is complete, values are
computed from its ends backwards (retrograde analysis). The tree then reads the value of each new
node from the graph.

This works for two roles whose goals always have the same sum, if at most one of them has a choice
in each state. Otherwise, and if the graph grows too large, `is_given_up` becomes true.
"""

from __future__ import annotations

import time
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

import gdl
from gdl import kernel
from ggp.clock import Deadline
from ggp.search.fast.tree.expansion import LeafBatch
from ggp.search.fast.tree.nodes import copy_words, wide
from ggp.search.kernels.arrays import NONE, ByteArray, IntArray, LongArray, Words
from ggp.search.kernels.hashing import mix

MAX_BYTES: Final = 1 << 28
EDGES_PER_NODE: Final = 24
"""Room for moves. A graph with more moves per state has fewer states."""
EDGE_BYTES: Final = 8
SOLVING_SECONDS: Final = 1e-7
"""Time to compute the values, per edge."""

# Indices of `Graph.used`
NODES, EDGES, NEXT_EDGE, NEXT_PARENT, SUM, KNOWN_NODES = range(6)
NUM_COUNTS = 6

# Results of `add_children`
GROWING, NO_ROOM, UNSUITABLE = range(3)

NO_SUM_YET = -1
UNKNOWN = -1  # the goal of a node without a value


class Graph(NamedTuple):
    """`N` nodes in breadth-first order, `E` edges node by node, `W` words of a state."""

    states: Words  # [N, W]
    phases: NDArray[np.int8]  # [N]
    deciders: NDArray[np.int8]  # [N] the role that may have a choice
    others: IntArray  # [N] the only move of the other role
    goals: NDArray[np.int16]  # [N] the goal of the first role if both play best, or `UNKNOWN`
    lengths: NDArray[np.int16]  # [N] plies to the end, where the winner hurries
    first_edges: LongArray  # [N + 1]
    moves: IntArray  # [E]
    children: IntArray  # [E]
    buckets: IntArray  # [power of two] hash table: node + 1, or 0
    used: LongArray  # [NUM_COUNTS]


def make_graph(num_bytes: int, num_words: int) -> Graph:
    """Create an empty graph that takes about `num_bytes` bytes when it is full."""
    node_bytes = 8 * num_words + 1 + 1 + 4 + 2 + 2 + 8 + 8 + EDGES_PER_NODE * EDGE_BYTES
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


class StateGraph:
    """The graph below a root. `grow` extends it, and `look` reads values from it.

    Attributes:
        is_given_up: Whether the graph below this root cannot be completed.
        is_solved: Whether the values of all states below the root are known.
    """

    def __init__(self, expander: gdl.Expander, leaves: LeafBatch, num_bytes: int) -> None:
        """Create a graph without a root.

        Args:
            leaves: The batch of the expander, to which `look` writes.
            num_bytes: Maximum size of the graph, at most `MAX_BYTES`.
        """
        self._expander = expander
        self._leaves = leaves
        self._num_bytes = min(num_bytes, MAX_BYTES)
        self._graph: Graph | None = None
        self.is_solved = False
        self.is_given_up = expander.num_roles != 2
        self._is_unsuitable = self.is_given_up

    def plant(self, phase: int) -> None:
        """Begin at the state in the first leaf, whose data the expander has just computed.

        Keep the graph if it contains that state, and is solved or nearly complete.
        """
        if self._is_unsuitable:
            return
        if self.is_solved or self.is_closing:
            assert self._graph is not None
            if find(self._graph, self._leaves.states[0], phase) != NONE:
                return
        self._graph = make_graph(self._num_bytes, self._expander.num_words)
        self.is_solved = self.is_given_up = False
        self._note(add_nodes(self._graph, self._leaves, 1, phase, 0, True))

    def grow(self, seconds: float, deadline: Deadline) -> bool:
        """Add states for about `seconds` of processor time, and at least one batch.

        Return whether the values have just become known.
        """
        end = time.thread_time() + seconds
        expander, graph = self._expander, self._graph
        while not self.is_solved and not self.is_given_up and graph is not None:
            first = int(graph.used[NEXT_EDGE])
            num = take_edges(graph, expander.parents, expander.moves)
            if num == 0:
                if deadline.remaining() < SOLVING_SECONDS * int(graph.used[EDGES]):
                    return False
                self._solve(graph)
                return self.is_solved
            phase = int(graph.phases[int(graph.used[NEXT_PARENT])])
            expander.expand(num, phase)
            following = (phase + 1) % expander.num_phases
            self._note(add_nodes(graph, self._leaves, num, following, first, False))
            if time.thread_time() >= end:
                break
        return False

    @property
    def num_nodes(self) -> int:
        """States listed so far."""
        return 0 if self._graph is None else int(self._graph.used[NODES])

    @property
    def num_bytes(self) -> int:
        """Bytes of the states and moves listed so far, and of the hash table."""
        graph = self._graph
        if graph is None:
            return 0
        num_nodes, num_edges = graph.used[[NODES, EDGES]].tolist()
        per_node = sum(a.nbytes // len(a) for a in graph[:7])
        return int(per_node * num_nodes + EDGE_BYTES * num_edges + graph.buckets.nbytes)

    @property
    def is_closing(self) -> bool:
        """Whether the graph seems to be nearly complete: most moves lead to states seen before."""
        graph = self._graph
        if graph is None:
            return False
        num_done, num_nodes = int(graph.used[NEXT_EDGE]), int(graph.used[NODES])
        return num_nodes < 0.15 * num_done

    def look(self, num: int, phase: int) -> None:
        """Write the known values of `num` leaves as their bounds."""
        if self.is_solved and self._graph is not None:
            write_bounds(self._graph, self._leaves, num, phase)

    def _note(self, outcome: int) -> None:
        if outcome != GROWING:
            self.is_given_up, self._graph = True, None
            self._is_unsuitable |= outcome == UNSUITABLE

    def _solve(self, graph: Graph) -> None:
        num_nodes, num_edges = int(graph.used[NODES]), int(graph.used[EDGES])
        starts, pending = np.zeros(num_nodes + 1, np.int64), np.zeros(num_nodes, np.int32)
        solve(graph, starts, np.zeros(num_edges, np.int32), pending, np.zeros(num_nodes, np.int32))
        self.is_solved = bool(graph.goals[0] != UNKNOWN)
        self.is_given_up = not self.is_solved


@kernel
def find(graph: Graph, state: Words, phase: int) -> int:
    """Return the node of a state, or NONE."""
    node, _ = find_bucket(graph, state, phase)
    return node


@kernel
def find_bucket(graph: Graph, state: Words, phase: int) -> tuple[int, int]:
    """Return the node of a state or NONE, and its bucket."""
    mask = len(graph.buckets) - 1
    code = np.uint64(phase)
    for index in range(len(state)):
        code = mix(code ^ state[index])
    bucket = wide(code & np.uint64(mask))
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
    """Write the next moves of parents in one phase, as many as fit. Return their number."""
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

    Args:
        first_edge: The edge that leads to the first leaf; the others follow.
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
    """Write a new node's state, moves and, at the end of the game, goal."""
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
        if middle == start or end == middle or (middle - start > 1 and end - middle > 1):
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


@kernel
def solve(
    graph: Graph, starts: LongArray, parents: IntArray, pending: IntArray, line: IntArray
) -> None:
    """Compute the values of all nodes from the ends of the game backwards.

    Nodes from which a cycle can be reached keep the value `UNKNOWN`.

    Args:
        starts: `[N + 1]` zeros: where the parents of each node begin.
        parents: `[E]` memory for the parents of all nodes.
        pending: `[N]` memory for the number of children without a value.
        line: `[N]` memory for a queue.
    """
    num_nodes = wide(graph.used[NODES])
    for edge in range(wide(graph.used[EDGES])):
        starts[graph.children[edge] + 1] += 1
    for node in range(num_nodes):
        starts[node + 1] += starts[node]
        pending[node] = graph.first_edges[node + 1] - graph.first_edges[node]
    for node in range(num_nodes):
        for edge in range(graph.first_edges[node], graph.first_edges[node + 1]):
            child = wide(graph.children[edge])
            parents[starts[child]] = node
            starts[child] += 1  # in the end, where the parents of the next node begin
    num_known = 0
    for node in range(num_nodes):
        if pending[node] == 0:
            line[num_known] = node
            num_known += 1
    done = 0
    while done < num_known:
        node = wide(line[done])
        done += 1
        if graph.first_edges[node] < graph.first_edges[node + 1]:
            set_value(graph, node)
        for place in range(0 if node == 0 else starts[node - 1], starts[node]):
            parent = wide(parents[place])
            pending[parent] -= 1
            if pending[parent] == 0:
                line[num_known] = parent
                num_known += 1
    graph.used[KNOWN_NODES] = num_known


@kernel
def set_value(graph: Graph, node: int) -> None:
    """Choose the best of a node's children, all of which are known."""
    sign = 1 if graph.deciders[node] == 0 else -1
    half = wide(graph.used[SUM]) * sign  # compared with twice the goal
    best, best_length = wide(-32768), 0
    for edge in range(graph.first_edges[node], graph.first_edges[node + 1]):
        child = wide(graph.children[edge])
        goal, length = sign * wide(graph.goals[child]), wide(graph.lengths[child]) + 1
        is_sooner = length < best_length if 2 * goal > half else length > best_length
        if goal > best or (goal == best and is_sooner):
            best, best_length = goal, length
    graph.goals[node], graph.lengths[node] = sign * best, min(best_length, 32767)


@kernel
def write_bounds(graph: Graph, leaves: LeafBatch, num: int, phase: int) -> None:
    """Write the known goals of leaves as their lower and upper bounds."""
    for leaf in range(num):
        node = find(graph, leaves.states[leaf], phase)
        if node != NONE and graph.goals[node] != UNKNOWN:
            for role in range(2):
                goal = wide(graph.goals[node])
                goal = goal if role == 0 else wide(graph.used[SUM]) - goal
                leaves.lower[leaf, role] = leaves.upper[leaf, role] = goal
                leaves.lengths[leaf, role] = graph.lengths[node]
