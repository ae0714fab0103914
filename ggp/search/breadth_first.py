"""Breadth-first search of a game that one role plays alone: the shortest way to the best goal."""

from __future__ import annotations

from collections import deque

import gdl
from ggp.clock import Deadline
from ggp.search.choices import Joint
from ggp.search.mcts import CompleteLine
from ggp.search.result import BEST


class BreadthFirst:
    """Visits the states in order of their distance; equal states are visited once.

    Attributes:
        best_line: The shortest way to the best goal met so far.
        is_exhausted: Whether every reachable state was seen, so that `best_line` is optimal.
        num_states: States computed so far.
    """

    def __init__(self, machine: gdl.StateMachine, state: gdl.State, max_states: int) -> None:
        self.machine = machine
        self.best_line: CompleteLine | None = None
        self.is_exhausted = False
        self.num_states = 0
        self._max_states = max_states
        self._came_from: dict[gdl.State, tuple[gdl.State, Joint] | None] = {state: None}
        self._queue: deque[gdl.State] = deque([] if machine.is_terminal(state) else [state])

    def step(self, deadline: Deadline) -> bool:
        """Look at the states after one state; False if there is no need, room or time for it."""
        if not self._queue or len(self._came_from) > self._max_states or self._is_perfect():
            return False
        state = self._queue[0]
        for move in self.machine.legal_moves(state, self.machine.roles[0]):
            if deadline.is_over():
                return False
            self._look_at(self.machine.next_state(state, (move,)), state, (move,))
        self._queue.popleft()
        self.is_exhausted = not self._queue
        return True

    def _look_at(self, state: gdl.State, parent: gdl.State, joint: Joint) -> None:
        self.num_states += 1
        if state in self._came_from:
            return
        self._came_from[state] = (parent, joint)
        if not self.machine.is_terminal(state):
            self._queue.append(state)
            return
        goal = float(self.machine.goal(state, self.machine.roles[0]))
        if self.best_line is None or goal > self.best_line.goal:
            self.best_line = CompleteLine(goal, self._way_to(state))

    def _way_to(self, state: gdl.State) -> tuple[Joint, ...]:
        way = []
        step = self._came_from[state]
        while step is not None:
            parent, joint = step
            way.append(joint)
            step = self._came_from[parent]
        return tuple(reversed(way))

    def _is_perfect(self) -> bool:
        return self.best_line is not None and self.best_line.goal == BEST
