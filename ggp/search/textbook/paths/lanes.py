"""Breadth-first search and A* on lanes: states by the hundred, where the game is compiled.

The same two searches as in `graph_search`, in arrays; `ggp.search.fast.puzzles` has them.
"""

from __future__ import annotations

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Joint
from ggp.search.core.result import CompleteLine
from ggp.search.fast.puzzles.board import Board, can_search
from ggp.search.fast.puzzles.plan_search import BestFirst, Breadth
from ggp.search.fast.puzzles.store import GOAL, NODES, SEEN, depth_of, way_to
from ggp.search.kernels.arrays import NONE

LINKS = 64
"""Bytes that a state takes at most besides its facts."""
WEIGHT = {"bestfirst": 64, "astar": 1}
"""Of the distance, where a move counts 1; so large a weight leaves the moves no say."""


def board_of(game: gdl.Game, state: gdl.State) -> Board | None:
    """The board of a compiled game of one role; None if there is none for this game and state."""
    if not can_search(game):
        return None
    board = Board(game, seed=0)
    return board if len(board.phases_of(state)) == 1 else None


class LaneWays:
    """Looks at some hundred states with each `step`."""

    promising_line: tuple[Joint, ...] = ()

    def __init__(self, board: Board, state: gdl.State, method: str, max_states: int) -> None:
        """A search by `bfs`, `bestfirst` or `astar`; the state shows who is in turn."""
        self.best_line: CompleteLine | None = None
        self._board = board
        self._max_states = max_states
        words, mask = board.pack(state), board.whole
        phase, memory = board.phases_of(state)[0], max_states * (LINKS + 8 * len(mask))
        self._ways: Breadth | BestFirst
        if method == "bfs":
            self._ways = Breadth(board, words, phase, memory, mask)
        else:
            self._ways = BestFirst(board, words, phase, memory, mask, WEIGHT[method])

    @property
    def num_states(self) -> int:
        """States computed so far."""
        return int(self._ways.store.counters[SEEN])

    @property
    def num_held(self) -> int:
        """States in memory."""
        return int(self._ways.store.counters[NODES])

    @property
    def depth(self) -> int:
        """Moves to the farthest state met."""
        return depth_of(self._ways.store)

    @property
    def is_done(self) -> bool:
        """Whether an end with the best goal of the rules was met, or nothing can be better."""
        goal = int(self._ways.ends.counters[GOAL])
        return self._ways.is_exhausted or goal == self._board.best_goal

    def step(self, deadline: Deadline) -> bool:
        """Look at a batch of states; False if there is no need, room or time for it."""
        if self._ways.is_over or self.num_held > self._max_states or deadline.is_over():
            return False
        next(self._ways.batches, None)
        ways, best = self._ways, self.best_line
        goal = int(ways.ends.counters[GOAL])
        if goal != NONE and (best is None or goal > best.goal):
            moves = way_to(ways.store, ways.ends)
            self.best_line = CompleteLine(
                float(goal), tuple((self._board.move(number),) for number in moves)
            )
        return True
