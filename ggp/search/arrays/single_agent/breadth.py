"""Breadth-first search on lanes: all states in the order of their distance from the first one."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from ggp.search.arrays.single_agent.board import Board
from ggp.search.arrays.single_agent.store import GOAL, NODES, Words, make_store, no_end, plant


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
