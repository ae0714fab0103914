"""The first look: what a few playouts say of the first moves, for when no end is known yet."""

from __future__ import annotations

import numpy as np

from ggp.search.core.result import MoveValue, SearchResult
from ggp.search.fast.puzzles.board import Board
from ggp.search.kernels.arrays import Words

UNTRIED = 50.0


class FirstLook:
    """The legal moves of a state, and random playouts after each.

    Attributes:
        is_done: Whether they have been played.
    """

    def __init__(self, board: Board, state: Words, phase: int) -> None:
        expander = board.expander
        self._board, self._state, self._phase = board, state, phase
        self.is_done = False
        expander.children[0] = state
        expander.look(1, phase)
        self._inputs = expander.legal[: expander.legal_starts[1]].copy()
        self._means = np.full(len(self._inputs), UNTRIED)
        self._num_playouts = 0

    @property
    def is_forced(self) -> bool:
        """Whether there is no choice."""
        return len(self._inputs) < 2

    def play(self, horizon: int) -> None:
        """Play once from all lanes, as often after each move; of very many moves the first ones."""
        expander = self._board.expander
        num = min(len(self._inputs), expander.num_leaves_max)
        if num:
            expander.parents[:num] = self._state
            expander.moves[:num, 0] = self._inputs[:num]
            expander.expand(num, self._phase)
            expander.play(num, (self._phase + 1) % expander.num_phases, 1, horizon)
            self._num_playouts = expander.num_playouts_per_leaf
            self._means[:num] = expander.totals[:num, 0] / self._num_playouts
        self.is_done = True

    def result(self) -> SearchResult:
        """The moves, the best first; there must be one."""
        num = self._num_playouts
        ranked = sorted(
            zip(self._means.tolist(), self._inputs.tolist(), strict=True),
            key=lambda pair: -pair[0],
        )
        moves = tuple(MoveValue(self._board.move(i), mean, num) for mean, i in ranked)
        return SearchResult(
            move=moves[0].move, value=moves[0].value, visits=num * len(moves), moves=moves
        )
