"""Best-first search on lanes: states in the order of a sum of way and distance.

With weight w the state next in turn is one whose moves made, plus w times its distance (see
`ggp.search.fast.puzzles.distance`), are fewest: A* with w = 1, and hastier the larger w is.
The distance may be too long, so the first way found need not be the shortest.

States that cannot reach more than the best end so far are dropped, which is exact.

Hart, Nilsson and Raphael, A Formal Basis for the Heuristic Determination of Minimum Cost Paths,
1968; Pohl, Heuristic Search Viewed as Path Finding in a Graph, 1970.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gdl import kernel
from ggp.search.fast.puzzles.board import Board
from ggp.search.fast.puzzles.store import GOAL, NODES, SEEN, Store, make_store, no_end, plant
from ggp.search.kernels.arrays import NONE, IntArray, Words

NUM_RANKS = 1 << 16  # of states; all that are worse are as bad
FEWEST_NODES = 4  # to go on from at once


class RankedNodes(NamedTuple):
    """Nodes by rank: of each rank and phase a list, the last one first. `P` phases."""

    weight: int
    num_phases: int
    heads: IntArray  # [NUM_RANKS * P]
    lowest: IntArray  # [1] no list before this one has a node


@kernel
def push(store: Store, queue: RankedNodes, nodes: IntArray, far: IntArray) -> None:
    """Put nodes into the queue."""
    for row in range(len(nodes)):
        node = nodes[row]
        depth = store.depths[node]
        rank = min(NUM_RANKS - 1, depth + queue.weight * far[row])
        place = rank * queue.num_phases + depth % queue.num_phases
        store.following[node] = queue.heads[place]
        queue.heads[place] = node
        queue.lowest[0] = min(queue.lowest[0], place)


@kernel
def pop(store: Store, queue: RankedNodes, nodes: IntArray) -> int:
    """Take nodes of the lowest rank out of the queue, all of one phase; how many."""
    heads, place, num = queue.heads, int(queue.lowest[0]), 0
    while place < len(heads) and heads[place] == NONE:
        place += 1
    queue.lowest[0] = place
    if place == len(heads):
        return 0
    while num < len(nodes) and heads[place] != NONE:
        nodes[num] = heads[place]
        heads[place] = store.following[nodes[num]]
        num += 1
    return num


class BestFirst:
    """Goes on from the most promising states first.

    Attributes:
        store: The states.
        ends: The best end so far.
        is_over: Whether there is nothing left to do: the best goal was met, all states were seen
            that may be better, or there is no room for more.
        is_exhausted: Whether nothing can be better than `ends`.
    """

    def __init__(
        self,
        board: Board,
        state: Words,
        phase: int,
        num_bytes: int,
        mask: Words,
        weight: int,
    ) -> None:
        """A search from a state that is not terminal.

        Args:
            board: The game; it must be able to measure distances.
            state: Packed.
            phase: Of the state.
            num_bytes: What the states may take.
            mask: What makes a state: `whole` or `position` of the board.
            weight: Of the distance; a way counts 1 for each move.
        """
        self._board = board
        self._phase = phase
        self.store = make_store(num_bytes, mask, board.expander.num_phases)
        self.ends = no_end()
        self.is_over = self.is_exhausted = False
        plant(self.store, state)
        num_phases = board.expander.num_phases
        heads = np.full(NUM_RANKS * num_phases, NONE, np.int32)
        self._queue = RankedNodes(weight, num_phases, heads, np.zeros(1, np.int32))
        self.batches = self._run()

    def _run(self) -> Iterator[None]:
        board, store, ends = self._board, self.store, self.ends
        pairs, room = board.new_pairs(), np.empty(board.num_rows, np.int32)
        num_phases = board.expander.num_phases
        self._push(np.zeros(1, np.int32))
        num_expanded = 0
        while (num := pop(store, self._queue, room[: self._num_at_once(num_expanded)])) > 0:
            phase = int(store.depths[room[0]] + self._phase) % num_phases
            for added in board.children(store, ends, room[:num], phase, pairs):
                self._push(added)
                if ends.counters[GOAL] == board.best_goal:
                    self.is_over = True
                    return
                yield
            if board.is_full(store):
                self.is_over = True
                return
            num_expanded += num
        self.is_over = self.is_exhausted = True

    def _num_at_once(self, num_expanded: int) -> int:
        seen = max(1, int(self.store.counters[SEEN]))
        rows = self._board.num_rows
        return min(rows, max(FEWEST_NODES, rows * num_expanded // seen))

    def _push(self, nodes: IntArray) -> None:
        """Put nodes into the queue, but those that cannot reach more than the best end."""
        far, bounds = self._board.measured(self.store, nodes)
        is_open = bounds > self.ends.counters[GOAL]
        push(self.store, self._queue, nodes[is_open], far[is_open])


class Breadth:
    """Sees every state once, those that are nearer first.

    Attributes:
        store: The states.
        ends: The best end so far; of equal goals the one with the fewest moves.
        is_over: Whether there is nothing left to do: the best goal was met, all states were seen,
            or there is no room for more.
        is_exhausted: Whether all states were seen, so that nothing can be better than `ends`.
    """

    def __init__(self, board: Board, state: Words, phase: int, num_bytes: int, mask: Words) -> None:
        """A search from a state that is not terminal.

        Args:
            board: The game.
            state: Packed.
            phase: Of the state.
            num_bytes: What the states may take.
            mask: What makes a state: `whole` or `position` of the board.
        """
        self._board = board
        self._phase = phase
        self.store = make_store(num_bytes, mask, board.expander.num_phases)
        self.ends = no_end()
        self.is_over = self.is_exhausted = False
        plant(self.store, state)
        self.batches = self._run()

    def _run(self) -> Iterator[None]:
        board, store, counters = self._board, self.store, self.store.counters
        pairs = board.new_pairs()
        first, level_end, phase = 0, 1, self._phase
        while first < counters[NODES] and not board.is_full(store):
            nodes = np.arange(first, min(first + board.num_rows, level_end), dtype=np.int32)
            for _ in board.children(store, self.ends, nodes, phase, pairs):
                if self.ends.counters[GOAL] == board.best_goal:
                    self.is_over = True
                    return
                yield
            first += len(nodes)
            if first == level_end:
                level_end, phase = int(counters[NODES]), (phase + 1) % board.expander.num_phases
        self.is_exhausted = not board.is_full(store)
        self.is_over = True
