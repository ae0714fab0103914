"""Breadth-first search and A* on lanes, which expand hundreds of states at once.

These are the searches of `graph_search` in arrays, for compiled games. The algorithms are in
`ggp.search.fast.puzzles`.
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
"""Maximum number of bytes that a state takes in addition to its facts."""
WEIGHT = {"bestfirst": 64, "astar": 1}
"""Weight of the estimated distance, compared with the number of moves made, which has weight 1."""


def board_of(game: gdl.Game, state: gdl.State) -> Board | None:
    """Return the board on which to search a game.

    Return None if the game is not a compiled game of one role, or its phase is unclear in `state`.
    """
    if not can_search(game):
        return None
    board = Board(game, seed=0)
    return board if len(board.phases_of(state)) == 1 else None


class LaneWays:
    """A search that expands a few hundred states with each `step`."""

    promising_line: tuple[Joint, ...] = ()

    def __init__(self, board: Board, state: gdl.State, method: str, max_states: int) -> None:
        """Start a search by `bfs`, `bestfirst` or `astar`. The phase of `state` must be unique."""
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
        """Number of states computed so far."""
        return int(self._ways.store.counters[SEEN])

    @property
    def num_held(self) -> int:
        """Number of states in memory."""
        return int(self._ways.store.counters[NODES])

    @property
    def depth(self) -> int:
        """Number of moves to the farthest state found."""
        return depth_of(self._ways.store)

    @property
    def is_done(self) -> bool:
        """Whether no end can be better than the best end found."""
        goal = int(self._ways.ends.counters[GOAL])
        return self._ways.is_exhausted or goal == self._board.best_goal

    def step(self, deadline: Deadline) -> bool:
        """Expand a batch of states.

        Return False if the search is over, or time or memory has run out.
        """
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
