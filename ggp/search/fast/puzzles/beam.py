"""Beam search on lanes: of the states after so many moves only the best go on, ever more of them.

What is best is told by turns: by the mean goal of random playouts, and by the distance of
`ggp.search.fast.puzzles.distance`, of states as far away by the number of legal moves: who
fills in something wants to keep choices. Each descent goes down to the end of the game, and the
next one is twice as wide, so there is a way to an end early, and better ones as time goes on. Where
there is no room for so many states it is narrower again.

With playouts this is the idea of nested Monte Carlo search for many states at once; see Cazenave,
Monte Carlo Beam Search, 2012.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ggp.search.fast.puzzles.board import Board
from ggp.search.fast.puzzles.store import GOAL, load_states, make_store, no_end, plant
from ggp.search.kernels.arrays import FloatArray, IntArray, Words

NARROWEST = 8  # states
PLAYOUTS = 8  # of each state
CHOICE = 1e-3  # what a legal move counts for, where states are as far away
AT_ONCE = 64  # states whose children are made without looking at what they are

TIE = 1e-4  # of scores


class Beam:
    """Goes down again and again.

    Attributes:
        store: The states of the present descent.
        ends: Its best end.
        is_over: Whether there is nothing left to do: the best goal was met.
        is_exhausted: False: it proves nothing.
        width: How many states go on.
    """

    is_exhausted = False

    def __init__(
        self,
        board: Board,
        state: Words,
        phase: int,
        num_bytes: int,
        horizon: int,
        rng: np.random.Generator,
    ) -> None:
        """A search from a state that is not terminal.

        Args:
            board: The game.
            state: Packed.
            phase: Of the state.
            num_bytes: What the states may take.
            horizon: Longest playout and longest descent, in moves.
            rng: Breaks ties.
        """
        self._board = board
        self._state = state
        self._phase = phase
        self._num_bytes = num_bytes
        self._horizon = horizon
        self._rng = rng
        self.is_over = False
        self.width = NARROWEST
        self._begin(board.whole)
        self.batches = self._run()

    def _begin(self, mask: Words) -> None:
        self.store = make_store(self._num_bytes, mask, self._board.expander.num_phases)
        self.ends = no_end()
        plant(self.store, self._state)

    def _run(self) -> Iterator[None]:
        board = self._board
        while not self.is_over:
            # By playouts, ends that a clock makes count too, so it belongs to the state.
            yield from self._descend(board.whole, by_playouts=True)
            if board.can_measure and not self.is_over:
                yield from self._descend(board.position, by_playouts=False)
            self.width *= 2

    def _descend(self, mask: Words, *, by_playouts: bool) -> Iterator[None]:
        board = self._board
        self._begin(mask)
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
