"""Exact values of all states that can still be reached, if these are few.

The state graph grows breadth first, many states at once. Equal states are one node, so a game
such as nim with a million lines of play has a small graph. When the graph is complete, values are
computed from its ends backwards (retrograde analysis). The tree then reads the value of each new
node from the graph.

This works for two roles whose goals always have the same sum, if at most one of them has a choice
in each state. Otherwise, and if the graph grows too large, `is_given_up` becomes true.
"""

from __future__ import annotations

import time
from typing import Final

import numpy as np

import gdl
from ggp.clock import Deadline
from ggp.search.fast.tree.expansion import LeafBatch
from ggp.search.fast.tree.graph_nodes import (
    EDGES,
    GROWING,
    NEXT_EDGE,
    NEXT_PARENT,
    NODES,
    UNKNOWN,
    UNSUITABLE,
    Graph,
    add_nodes,
    bytes_in_use,
    find,
    make_graph,
    take_edges,
)
from ggp.search.fast.tree.retrograde import list_parents, solve, write_bounds
from ggp.search.kernels.arrays import NONE

MAX_BYTES: Final = 1 << 28
GROWING_SHARE: Final = 0.05
"""Time for the graph, as a share of the time for the tree."""
CLOSING_SHARE: Final = 3.0
"""The same while the graph seems to be nearly complete. It is halved, divided by 3, 4 and so on as
graphs turn out to be too large."""
CLOSING_RATIO: Final = 0.3
"""A graph with fewer states than this per move made is nearly complete."""
SOLVING_SECONDS: Final = 1e-7
"""Time to compute the values, per edge."""


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
            num_bytes: Size of a full graph, at most `MAX_BYTES`. 0 if no graph is wanted.
        """
        self._expander = expander
        self._leaves = leaves
        self._num_bytes = min(num_bytes, MAX_BYTES)
        self._graph: Graph | None = None
        self._num_given_up = 0
        self.is_solved = False
        self.is_given_up = self._is_unsuitable = expander.num_roles != 2 or num_bytes == 0

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
        """Add states for a share of the time that the tree has just used, and at least one batch.

        Return whether the values have just become known.

        Args:
            seconds: Processor time of the tree.
            deadline: No batch begins after it, except the first.
        """
        share = CLOSING_SHARE / (1 + self._num_given_up) if self.is_closing else 0.0
        share = max(share, GROWING_SHARE)
        end = time.thread_time() + share * seconds
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
            if deadline.is_over() or time.thread_time() >= end:
                break
        return False

    @property
    def num_nodes(self) -> int:
        """States listed so far."""
        return 0 if self._graph is None else int(self._graph.used[NODES])

    @property
    def num_bytes(self) -> int:
        """Bytes of the states and moves listed so far, and of the hash table."""
        return 0 if self._graph is None else bytes_in_use(self._graph)

    @property
    def is_closing(self) -> bool:
        """Whether the graph seems to be nearly complete: most moves lead to states seen before."""
        graph = self._graph
        if graph is None:
            return False
        num_done, num_nodes = int(graph.used[NEXT_EDGE]), int(graph.used[NODES])
        return num_nodes < CLOSING_RATIO * num_done

    def look(self, num: int, phase: int) -> None:
        """Write the known values of `num` leaves as their bounds."""
        if self.is_solved and self._graph is not None:
            write_bounds(self._graph, self._leaves, num, phase)

    def _note(self, outcome: int) -> None:
        if outcome != GROWING:
            self.is_given_up, self._graph = True, None
            self._num_given_up += 1
            self._is_unsuitable |= outcome == UNSUITABLE

    def _solve(self, graph: Graph) -> None:
        num_nodes, num_edges = int(graph.used[NODES]), int(graph.used[EDGES])
        starts, parents = np.zeros(num_nodes + 1, np.int64), np.zeros(num_edges, np.int32)
        list_parents(graph, starts, parents)
        solve(graph, starts, parents, np.zeros(num_nodes, np.int32), np.zeros(num_nodes, np.int32))
        self.is_solved = bool(graph.goals[0] != UNKNOWN)
        self.is_given_up = not self.is_solved
