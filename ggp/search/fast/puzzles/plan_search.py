"""The searches for a way on lanes: breadth-first, best-first and beam search, in small steps."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gdl import kernel
from ggp.search.fast.puzzles.board import Board
from ggp.search.fast.puzzles.store import (
    GOAL,
    NODES,
    SEEN,
    Store,
    load_states,
    make_store,
    no_end,
    plant,
)
from ggp.search.kernels.arrays import NONE, FloatArray, IntArray, Words


class PlanSearch(ABC):
    """A search from a state that is not terminal.

    Attributes:
        store: The states.
        ends: The best end so far.
        is_over: Whether there is nothing left to do: the best goal was met, all states were seen
            that may be better, or there is no room for more.
        is_exhausted: Whether nothing can be better than `ends`.
        batches: The search itself; each item is a step.
    """

    def __init__(self, board: Board, state: Words, phase: int, num_bytes: int, mask: Words) -> None:
        """Search from a packed state.

        Args:
            num_bytes: Memory of all states.
            mask: The bits that make a state: `whole` or `position` of the board.
        """
        self._board = board
        self._phase = phase
        self.store = make_store(num_bytes, mask, board.expander.num_phases)
        self.ends = no_end()
        self.is_over = self.is_exhausted = False
        plant(self.store, state)
        self.batches = self._run()

    @abstractmethod
    def _run(self) -> Iterator[None]: ...


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


class BestFirst(PlanSearch):
    """Goes on from the states first whose moves made, plus a weighted distance, are fewest.

    That is A* with weight 1, and hastier the larger the weight is. The distance (see
    `ggp.search.fast.puzzles.distance`; the board must be able to measure it) may be too long, so
    the first way found need not be the shortest. States that cannot reach more than the best end so
    far are dropped, which is exact.

    Hart, Nilsson and Raphael, A Formal Basis for the Heuristic Determination of Minimum Cost Paths,
    1968; Pohl, Heuristic Search Viewed as Path Finding in a Graph, 1970.
    """

    def __init__(
        self, board: Board, state: Words, phase: int, num_bytes: int, mask: Words, weight: int
    ) -> None:
        super().__init__(board, state, phase, num_bytes, mask)
        num_phases = board.expander.num_phases
        heads = np.full(NUM_RANKS * num_phases, NONE, np.int32)
        self._queue = RankedNodes(weight, num_phases, heads, np.zeros(1, np.int32))

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


class Breadth(PlanSearch):
    """Sees every state once, those that are nearer first; of equal ends the nearest one is kept."""

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


NARROWEST = 8  # states
PLAYOUTS = 8  # of each state
CHOICE = 1e-3  # what a legal move counts for, where states are as far away
AT_ONCE = 64  # states whose children are made without looking at what they are

TIE = 1e-4  # of scores


class Beam(PlanSearch):
    """Goes down again and again: of the states after so many moves only the best go on.

    What is best is told by turns: by the mean goal of random playouts, and by the distance of
    `ggp.search.fast.puzzles.distance`, of states as far away by the number of legal moves: who
    fills in something wants to keep choices. Each descent goes down to the end of the game, and the
    next one is twice as wide, so there is a way to an end early, and better ones as time goes on.
    Where there is no room for so many states it is narrower again. It proves nothing.

    With playouts this is the idea of nested Monte Carlo search for many states at once; see
    Cazenave, Monte Carlo Beam Search, 2012.

    Attributes:
        store: The states of the present descent.
        ends: Its best end.
        width: How many states go on.
    """

    def __init__(
        self,
        board: Board,
        state: Words,
        phase: int,
        num_bytes: int,
        horizon: int,
        rng: np.random.Generator,
    ) -> None:
        """Search from a packed state, with playouts and descents of at most `horizon` moves."""
        super().__init__(board, state, phase, num_bytes, board.whole)
        self._state = state
        self._num_bytes = num_bytes
        self._horizon = horizon
        self._rng = rng
        self.width = NARROWEST

    def _run(self) -> Iterator[None]:
        board = self._board
        while not self.is_over:
            # By playouts, ends that a clock makes count too, so it belongs to the state.
            yield from self._descend(board.whole, by_playouts=True)
            if board.can_measure and not self.is_over:
                yield from self._descend(board.position, by_playouts=False)
            self.width *= 2

    def _descend(self, mask: Words, *, by_playouts: bool) -> Iterator[None]:
        board, self.ends = self._board, no_end()
        self.store = make_store(self._num_bytes, mask, board.expander.num_phases)
        plant(self.store, self._state)
        nodes, depth = np.zeros(1, np.int32), 0
        while len(nodes) and depth < self._horizon:
            found: list[IntArray] = []
            scores: list[FloatArray] = []
            phase = (self._phase + depth) % board.expander.num_phases
            for added in self._children_of(nodes, phase):
                score = np.zeros(len(added))
                choices = board.choices[: len(added)].copy()
                found.append(added)
                scores.append(score)
                if self.ends.counters[GOAL] == board.best_goal:
                    self.is_over = True
                    return
                if board.is_full(self.store):
                    self.width = max(NARROWEST // 2, self.width // 4)  # chance may help
                    break
                yield  # even if all are ends: who looks on must see them before the next descent
                if not len(added):
                    continue
                if by_playouts:
                    yield from self._play(added, (phase + 1) % board.expander.num_phases, score)
                else:
                    score += CHOICE * choices - board.measured(self.store, added)[0]
            nodes = self._best(found, scores)
            depth += 1
        yield

    def _children_of(self, nodes: IntArray, phase: int) -> Iterator[IntArray]:
        board = self._board
        pairs = board.new_pairs()
        for first in range(0, len(nodes), AT_ONCE):
            some = nodes[first : first + AT_ONCE]
            for added in board.children(self.store, self.ends, some, phase, pairs):
                yield added.copy()

    def _play(self, nodes: IntArray, phase: int, score: FloatArray) -> Iterator[None]:
        """Add the mean goal of playouts to the score of each node."""
        expander, num = self._board.expander, len(nodes)
        num_played = 0
        while num_played < PLAYOUTS:
            load_states(self.store, nodes, num, expander.children)
            expander.play(num, phase, 1, self._horizon)
            score += expander.totals[:num, 0]
            num_played += expander.num_playouts_per_leaf
            self._board.num_playouts += expander.num_playouts_per_leaf * num
            yield
        score /= num_played

    def _best(self, found: list[IntArray], scores: list[FloatArray]) -> IntArray:
        if not found:
            return np.zeros(0, np.int32)
        nodes, score = np.concatenate(found), np.concatenate(scores)
        if len(nodes) <= self.width:
            return nodes
        score += self._rng.random(len(score)) * TIE
        return nodes[np.argpartition(-score, self.width)[: self.width]]
