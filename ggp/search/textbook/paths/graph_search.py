"""Textbook graph search: a frontier, an explored set, and how each state was reached.

    put the first state on the frontier
    while the frontier is not empty: take a state from it, and for each of its successors:
        note it if it is terminal, and put it on the frontier if it is new

See Russell and Norvig, Artificial Intelligence: A Modern Approach, chapter 3. Terminal states have
different goals, so the search continues until it finds one with goal 100, or has seen all states.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Joint, choices_in
from ggp.search.core.result import BEST, CompleteLine
from ggp.search.textbook.paths.frontier import Frontier, FrontierState


@dataclass(frozen=True, slots=True)
class PathProblem:
    """A game from the point of view of a role that plans alone.

    A plan needs exactly one successor for each own move. So the other roles, if there are any, are
    assumed to make their first legal moves. When a role makes another move, the player needs a new
    plan.
    """

    game: gdl.Game
    role: gdl.Role
    own: int = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "own", self.game.roles.index(self.role))

    @property
    def is_certain(self) -> bool:
        """Whether a plan is certain to work, because there are no other roles."""
        return len(self.game.roles) == 1

    def goal(self, state: gdl.State) -> float:
        """Return the goal of the role in a state, 0..100."""
        return float(self.game.goal(state, self.role))

    def moves(self, state: gdl.State) -> Iterator[Joint]:
        """Yield the joint move for each own move, in the order of the legal moves.

        Yield nothing if some role has no legal move, which happens only if the rules are broken.
        """
        choices = choices_in(self.game, state)
        if choices:
            first = [moves[0] for moves in choices]
            for move in choices[self.own]:
                yield (*first[: self.own], move, *first[self.own + 1 :])


class Reached(NamedTuple):
    """The last step of the shortest known path to a state."""

    parent: gdl.State
    joint: Joint
    depth: int


class GraphSearch:
    """A search that expands one state with each `step`.

    It expands a state again only if it finds a shorter path to the state and path lengths count.
    """

    def __init__(
        self, problem: PathProblem, state: gdl.State, frontier: Frontier, max_states: int
    ) -> None:
        """Start a search from a state. The search stops when it holds more than `max_states`."""
        # The best path to an end found so far. Among equal goals it is the first one, or the
        # shortest one if the frontier counts the moves.
        self.best_line: CompleteLine | None = None
        # Whether every reachable state was seen, so that no goal is better.
        self.is_exhausted = False
        self.num_states = 0  # states computed so far
        self.depth = 0  # moves to the farthest state found
        self._problem = problem
        self._max_states = max_states
        self._reached = {state: Reached(None, (), 0)}
        self._closest: tuple[float, gdl.State] = (0.0, state)
        self._frontier = frontier
        if not problem.game.is_terminal(state):
            self._closest = (frontier.push(FrontierState(state, 0)), state)

    @property
    def is_done(self) -> bool:
        """Whether all states were seen, or the best goal was found.

        If the frontier counts moves, a shorter path to the best goal must also be impossible.
        """
        best = self.best_line
        if best is None or best.goal < BEST:
            return self.is_exhausted
        return self.is_exhausted or len(best.moves) <= self._frontier.least_cost()

    @property
    def num_held(self) -> int:
        """Number of states in memory."""
        return len(self._reached)

    @property
    def promising_line(self) -> tuple[Joint, ...]:
        """The path to the state with the least estimated distance from the best goal.

        It is empty if distances are unknown, or no state is closer than the start.
        """
        return self._way_to(self._closest[1])

    def step(self, deadline: Deadline) -> bool:
        """Expand the next state.

        Return False if the search is done, or time or memory has run out.
        """
        frontier, problem = self._frontier, self._problem
        if not len(frontier) or self.num_held > self._max_states or self.is_done:
            return False
        state, depth = frontier.peek()
        children = []
        for joint in problem.moves(state) if depth == self._reached[state].depth else ():
            if deadline.is_over():
                return False
            children.append((joint, problem.game.next_state(state, joint)))
        frontier.pop()
        for joint, child in children:
            self._look_at(child, Reached(state, joint, depth + 1))
        self.is_exhausted = not len(frontier)
        return True

    def _look_at(self, state: gdl.State, reached: Reached) -> None:
        self.num_states += 1
        known = self._reached.get(state)
        if known is not None and known.depth <= reached.depth:
            return
        if known is not None and self._frontier.least_cost() == math.inf:
            return  # the path to the known state is shorter, but path length does not count
        self._reached[state] = reached
        self.depth = max(self.depth, reached.depth)
        if self._problem.game.is_terminal(state):
            self._note_end(state, reached.depth)
            return
        far = self._frontier.push(FrontierState(state, reached.depth))
        if far < self._closest[0]:
            self._closest = (far, state)

    def _note_end(self, state: gdl.State, depth: int) -> None:
        goal, best = self._problem.goal(state), self.best_line
        if best is None or (goal, -depth) > (best.goal, -len(best.moves)):
            self.best_line = CompleteLine(goal, self._way_to(state))

    def _way_to(self, state: gdl.State) -> tuple[Joint, ...]:
        way = []
        parent, joint, depth = self._reached[state]
        while depth:
            way.append(joint)
            parent, joint, depth = self._reached[parent]
        return tuple(reversed(way))
