"""Retrograde analysis: the values of a complete state graph, computed from the ends backwards."""

from __future__ import annotations

from gdl import kernel
from ggp.search.fast.tree.expansion import LeafBatch
from ggp.search.fast.tree.graph_nodes import EDGES, NODES, SUM, UNKNOWN, Graph, find
from ggp.search.fast.tree.nodes import wide
from ggp.search.kernels.arrays import NONE, IntArray, LongArray

LOWEST = -32768  # below every goal
MAX_LENGTH = 32767


@kernel
def list_parents(graph: Graph, starts: LongArray, parents: IntArray) -> None:
    """List the parents of each node, one for each edge.

    Args:
        starts: `[N + 1]` zeros. In the end, `starts[n]` is where the parents of node n end.
        parents: `[E]` the parents of all nodes, node by node.
    """
    num_nodes = wide(graph.used[NODES])
    for edge in range(wide(graph.used[EDGES])):
        starts[graph.children[edge] + 1] += 1
    for node in range(num_nodes):
        starts[node + 1] += starts[node]
    for node in range(num_nodes):
        for edge in range(graph.first_edges[node], graph.first_edges[node + 1]):
            child = wide(graph.children[edge])
            parents[starts[child]] = node
            starts[child] += 1


@kernel
def solve(
    graph: Graph, starts: LongArray, parents: IntArray, num_open: IntArray, line: IntArray
) -> None:
    """Compute the values of all nodes from the ends of the game backwards.

    Nodes from which a cycle can be reached keep the value `UNKNOWN`.

    Args:
        starts: As `list_parents` leaves it.
        parents: As `list_parents` leaves it.
        num_open: `[N]` memory for the number of children without a value.
        line: `[N]` memory for a queue.
    """
    num_known = wide(0)
    for node in range(wide(graph.used[NODES])):
        num_open[node] = graph.first_edges[node + 1] - graph.first_edges[node]
        if num_open[node] == 0:
            line[num_known] = node
            num_known += 1
    done = wide(0)
    while done < num_known:
        node = wide(line[done])
        done += 1
        if graph.first_edges[node] < graph.first_edges[node + 1]:
            set_value(graph, node)
        for place in range(0 if node == 0 else starts[node - 1], starts[node]):
            parent = wide(parents[place])
            num_open[parent] -= 1
            if num_open[parent] == 0:
                line[num_known] = parent
                num_known += 1


@kernel
def set_value(graph: Graph, node: int) -> None:
    """Choose the best of a node's children, all of which are known."""
    sign = 1 if graph.deciders[node] == 0 else -1
    half = wide(graph.used[SUM]) * sign  # compared with twice the goal
    best, best_length = wide(LOWEST), 0
    for edge in range(graph.first_edges[node], graph.first_edges[node + 1]):
        child = wide(graph.children[edge])
        goal, length = sign * wide(graph.goals[child]), wide(graph.lengths[child]) + 1
        is_sooner = length < best_length if 2 * goal > half else length > best_length
        if goal > best or (goal == best and is_sooner):
            best, best_length = goal, length
    graph.goals[node], graph.lengths[node] = sign * best, min(best_length, MAX_LENGTH)


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
