"""Expectiminimax of the lecture "Game Playing": minimax with CHANCE nodes.

    value(n) = evaluation(n)                    where the game or the depth ends
               max value(s) of s in Succ(n)     for n, a MAX node: the searching role
               min value(s) of s in Succ(n)     for n, a MIN node: the other players
               sum P(s) value(s)                for n, a CHANCE node: the role `random` of GDL-II

In a state of GDL every role moves, so a ply is these three nodes one after another. A node without
a choice has one child. See `ggp.search.textbook.chance.ply` for simultaneous moves.
"""

from __future__ import annotations

import math

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Choices, Joint
from ggp.search.core.result import DepthResult
from ggp.search.evaluation.evaluation import Evaluation
from ggp.search.textbook.adversarial.scope import Scope
from ggp.search.textbook.chance.ply import depth_result, outcomes_of, replies_to, seats_of
from ggp.search.textbook.deepening import MAX_DEPTH


class Expectiminimax:
    """The recursion at the top of this module. `scope` limits the search and counts the visits."""

    def __init__(self, scope: Scope) -> None:
        self.scope = scope
        self.seats = seats_of(scope.machine, scope.own)

    def move_values(self, state: gdl.State) -> dict[gdl.Move, float]:
        """Return the value of every legal move of the searching role at the root."""
        choices, depth = self.scope.root_choices(state), self.scope.depth
        moves = choices[self.scope.own]
        return {move: self.min_node(state, choices, move, depth) for move in moves}

    def value(self, state: gdl.State, depth: int) -> float:
        """Return the value of a state for the searching role, with `depth` plies left."""
        stop = self.scope.enter(state, depth)
        choices = () if stop else self.scope.choices(state)
        if not choices:
            return (stop or self.scope.end(state)).goals[self.scope.own]
        return self.max_node(state, choices, depth)

    def max_node(self, state: gdl.State, choices: Choices, depth: int) -> float:
        """Return the value of a MAX node, where the searching role moves: the best child's."""
        v = -math.inf
        for move in choices[self.scope.own]:
            v = max(v, self.min_node(state, choices, move, depth))
        return v

    def min_node(self, state: gdl.State, choices: Choices, move: gdl.Move, depth: int) -> float:
        """Return the value of a MIN node, where the others move: the worst of the children."""
        v = math.inf
        for reply in replies_to(choices, self.seats, move):
            v = min(v, self.chance_node(state, choices, reply, depth))
        return v

    def chance_node(self, state: gdl.State, choices: Choices, reply: Joint, depth: int) -> float:
        """Return the value of a CHANCE node, where `random` moves: the children's mean."""
        outcomes = outcomes_of(choices, self.seats, reply)
        v = 0.0
        for joint in outcomes:
            v += self.value(self.scope.machine.next_state(state, joint), depth - 1)
        return v / len(outcomes)


def move_values(
    machine: gdl.StateMachine,
    state: gdl.State,
    role: gdl.Role,
    *,
    depth: int,
    evaluate: Evaluation,
    deadline: Deadline,
) -> dict[gdl.Move, float]:
    """Return the value of every legal move of a role in a state that is not terminal.

    Raises:
        OutOfTime: The deadline came first.
    """
    scope = Scope(machine, role, evaluate, deadline, depth=depth)
    return Expectiminimax(scope).move_values(state)


def search(
    machine: gdl.StateMachine,
    state: gdl.State,
    role: gdl.Role,
    *,
    depth: int | None,
    evaluate: Evaluation,
    deadline: Deadline,
) -> DepthResult:
    """Find the best move of a role in a state that is not terminal.

    Args:
        depth: Plies to look ahead, at least 1; None for the end of the game. The maximum is
            `MAX_DEPTH`.

    Raises:
        OutOfTime: The deadline came first.
    """
    plies = min(depth or MAX_DEPTH, MAX_DEPTH)
    scope = Scope(machine, role, evaluate, deadline, depth=plies)
    values = Expectiminimax(scope).move_values(state)
    return depth_result(values, scope, is_guaranteed=True)
