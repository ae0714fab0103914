"""The searches for a path on lanes: breadth-first, best-first and beam search, in small steps."""

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
    """The interface of a search from a state that is not terminal.

    Attributes:
        store: The states found so far.
        ends: The best end so far.
        is_over: Whether nothing is left to do: the best goal was found, all promising states were
            seen, or the store is full.
        is_exhausted: Whether no end can be better than `ends`, because all others were ruled out.
        batches: The search itself, as an iterator. Each item is a step.
    """

    def __init__(self, board: Board, state: Words, phase: int, num_bytes: int, mask: Words) -> None:
        """Start a search from a packed state.

        Args:
            num_bytes: Memory for all states.
            mask: The bits that distinguish states: `whole` or `position` of the board.
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


NUM_RANKS = 1 << 16  # number of ranks; all worse states have the last rank
MIN_NODES = 4  # minimum number of nodes to expand at once


class RankedNodes(NamedTuple):
    """A queue of nodes: for each rank and each of `P` phases, a list with the newest node first."""

    weight: int  # the rank of a node is its depth, plus `weight` times its distance
    num_phases: int
    heads: IntArray  # [NUM_RANKS * P]
    lowest: IntArray  # [1] all lists before this one are empty


@kernel
def push(store: Store, queue: RankedNodes, nodes: IntArray, far: IntArray) -> None:
    """Put nodes into the queue, given their distances `far` from the best goal."""
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
    """Remove nodes of the lowest rank and of one phase from the queue, and return their number."""
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
    """Best-first search, ordered by the number of moves made plus a weighted distance.

    With weight 1 this is A*, and a larger weight makes it greedier. The board must be able to
    measure the distance (see `ggp.search.fast.puzzles.distance`). It may overestimate, so the first
    path found need not be the shortest. States that cannot reach more than the best end so far are
    dropped, which is exact.

    See Hart, Nilsson and Raphael, A Formal Basis for the Heuristic Determination of Minimum Cost
    Paths, 1968, and Pohl, Heuristic Search Viewed as Path Finding in a Graph, 1970.
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
        return min(rows, max(MIN_NODES, rows * num_expanded // seen))

    def _push(self, nodes: IntArray) -> None:
        """Put nodes into the queue, except those that cannot reach more than the best end."""
        far, bounds = self._board.measured(self.store, nodes)
        is_open = bounds > self.ends.counters[GOAL]
        push(self.store, self._queue, nodes[is_open], far[is_open])


class Breadth(PlanSearch):
    """Breadth-first search. It visits every state once, and keeps the nearest of equal ends."""

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
PLAYOUTS = 8  # playouts of each state
CHOICE = 1e-3  # what each legal move adds to the score, to rank states at the same distance
AT_ONCE = 64  # states whose children are made at once

TIE = 1e-4  # size of the random part of scores, which breaks ties


class Beam(PlanSearch):
    """Beam search. It descends again and again, and keeps only the best states at each depth.

    Descents alternate between two scores. One is the mean goal of playouts. The other, if it can be
    measured, is the distance of `ggp.search.fast.puzzles.distance`, and at equal distance the
    number of legal moves, because in puzzles such as filling a board the choices must not run out.
    Each descent reaches the end of the game, and the next is twice as wide. So a path to an end is
    found early, and better ones later. If the store is too small for the states, the beam becomes
    narrower again. Beam search proves nothing.

    With playouts this is nested Monte Carlo search for many states at once. See Cazenave, Monte
    Carlo Beam Search, 2012.

    Attributes:
        store: The states of the current descent.
        ends: The best end of the current descent.
        width: Number of states kept at each depth.
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
        """Start a search from a packed state. Playouts and descents have up to `horizon` moves."""
        super().__init__(board, state, phase, num_bytes, board.whole)
        self._state = state
        self._num_bytes = num_bytes
        self._horizon = horizon
        self._rng = rng
        self.width = NARROWEST

    def _run(self) -> Iterator[None]:
        board = self._board
        while not self.is_over:
            # Ends that a clock causes count in playouts, so the clock is part of the state.
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
                    self.width = max(
                        NARROWEST // 2, self.width // 4
                    )  # a narrower beam may succeed by chance
                    break
                yield  # even if all are ends, so that the caller sees them before the next descent
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
        """Write the mean goal of playouts from each node to `score`, which must be all zeros."""
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
