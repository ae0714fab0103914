"""Iterative deepening: depth-first search to one move, then to two, then to three.

Like breadth-first search, it finds the shortest path, but it holds only the current path, without a
frontier or an explored set. The price is that it computes a state again in each pass, and once for
each path to the state. See Korf, Depth-first Iterative-deepening: An Optimal Admissible Tree
Search, 1985.
"""

from __future__ import annotations

from collections.abc import Iterator

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Joint
from ggp.search.core.result import BEST, CompleteLine
from ggp.search.textbook.paths.graph_search import PathProblem


class IterativeDeepening:
    """A search that makes or takes back one move of a depth-first search with each `step`."""

    promising_line: tuple[Joint, ...] = ()

    def __init__(self, problem: PathProblem, state: gdl.State) -> None:
        # The best path to an end found so far; among equal goals the shortest.
        self.best_line: CompleteLine | None = None
        # Whether a pass followed all paths to their ends, without reaching its depth limit.
        self.is_exhausted = problem.game.is_terminal(state)
        self.num_states = 0  # states computed so far
        self.depth = 1  # the limit of this pass, in moves
        self._problem = problem
        self._start = state
        self._was_cut = False
        self._path = [state]
        self._way: list[Joint] = []
        self._waiting = [problem.moves(state)]

    @property
    def is_done(self) -> bool:
        """Whether the best possible goal was found, or all paths were followed to their ends."""
        best = self.best_line
        return self.is_exhausted or (best is not None and best.goal == BEST)

    @property
    def num_held(self) -> int:
        """Number of states in memory: the states of the path."""
        return len(self._path)

    def step(self, deadline: Deadline) -> bool:
        """Make the next move, or take back the last. Return False if done or the time is over."""
        if self.is_done or deadline.is_over():
            return False
        joint = next(self._waiting[-1], None)
        if joint is None:
            self._go_back()
        else:
            self._go_on(joint)
        return True

    def _go_on(self, joint: Joint) -> None:
        problem = self._problem
        state = problem.game.next_state(self._path[-1], joint)
        self.num_states += 1
        if problem.game.is_terminal(state):
            self._note_end(problem.goal(state), (*self._way, joint))
        elif len(self._path) == self.depth:
            self._was_cut = True
        elif state not in self._path:  # a path with a cycle is never the shortest
            self._enter(state, joint, problem.moves(state))

    def _enter(self, state: gdl.State, joint: Joint, moves: Iterator[Joint]) -> None:
        self._path.append(state)
        self._way.append(joint)
        self._waiting.append(moves)

    def _go_back(self) -> None:
        """Leave the last state of the path. If it is the first state, start the next pass."""
        if self._way:
            self._path.pop()
            self._way.pop()
            self._waiting.pop()
            return
        self.is_exhausted = not self._was_cut
        self._was_cut = False
        self.depth += 1
        self._waiting = [self._problem.moves(self._start)]

    def _note_end(self, goal: float, moves: tuple[Joint, ...]) -> None:
        best = self.best_line
        if best is None or goal > best.goal:
            self.best_line = CompleteLine(goal, moves)
