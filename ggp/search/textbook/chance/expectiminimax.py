"""Expectiminimax: minimax with CHANCE nodes, of the lecture "Game Playing".

    value(n) = evaluation(n)                    where the game or the depth ends
               max value(s) of s in Succ(n)     for n, a MAX node: the searching role
               min value(s) of s in Succ(n)     for n, a MIN node: the other players
               sum P(s) value(s)                for n, a CHANCE node: the role `random` of GDL-II

A state of GDL lets every role move, so a ply is the three nodes one after another; those that have
no choice have one child. See `ggp.search.textbook.chance.ply` for simultaneous moves.
"""

from __future__ import annotations

import math

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Choices, Joint, require_moves
from ggp.search.core.result import DepthResult
from ggp.search.evaluation.evaluation import Evaluation
from ggp.search.textbook.chance.ply import Ground, depth_result, outcomes_of, replies_to
from ggp.search.textbook.deepening import MAX_DEPTH


class Expectiminimax:
    """The recursion of the slide. `ground` counts what it visits."""

    def __init__(self, ground: Ground) -> None:
        self.ground = ground

    def value(self, state: gdl.State, depth: int) -> float:
        """The value of a state for the searching role, so many plies ahead."""
        choices = self.ground.visit(state)
        if not choices:
            return self.ground.goal(state)
        if depth == 0:
            return self.ground.estimate(state)
        return self.max_node(state, choices, depth)

    def max_node(self, state: gdl.State, choices: Choices, depth: int) -> float:
        """The searching role moves: the best child counts."""
        v = -math.inf
        for move in choices[self.ground.seats.own]:
            v = max(v, self.min_node(state, choices, move, depth))
        return v

    def min_node(self, state: gdl.State, choices: Choices, move: gdl.Move, depth: int) -> float:
        """The other players move: the worst child counts."""
        v = math.inf
        for reply in replies_to(choices, self.ground.seats, move):
            v = min(v, self.chance_node(state, choices, reply, depth))
        return v

    def chance_node(self, state: gdl.State, choices: Choices, reply: Joint, depth: int) -> float:
        """The random role moves: the children count by their probability."""
        outcomes = outcomes_of(choices, self.ground.seats, reply)
        v = 0.0
        for joint in outcomes:
            v += self.value(self.ground.machine.next_state(state, joint), depth - 1)
        return v / len(outcomes)


def move_values(  # a state, and how far to look
    machine: gdl.StateMachine,
    state: gdl.State,
    role: gdl.Role,
    *,
    depth: int,
    evaluate: Evaluation,
    deadline: Deadline,
) -> dict[gdl.Move, float]:
    """The value of every legal move of a role in a state that is not terminal.

    Raises:
        OutOfTime: The deadline came first.
    """
    return _move_values(Ground(machine, role, evaluate, deadline), state, depth)


def _move_values(ground: Ground, state: gdl.State, depth: int) -> dict[gdl.Move, float]:
    recursion = Expectiminimax(ground)
    require_moves(ground.machine, state)
    choices = ground.visit(state)
    return {
        move: recursion.min_node(state, choices, move, depth) for move in choices[ground.seats.own]
    }


def search(  # the contract of the depth-limited searches
    machine: gdl.StateMachine,
    state: gdl.State,
    role: gdl.Role,
    *,
    depth: int | None,
    evaluate: Evaluation,
    deadline: Deadline,
) -> DepthResult:
    """The best move of a role in a state that is not terminal.

    Args:
        depth: Plies to look ahead, from 1 on; None for to the end of the game (or `MAX_DEPTH`).

    Raises:
        OutOfTime: The deadline came first.
    """
    ground = Ground(machine, role, evaluate, deadline)
    plies = min(depth or MAX_DEPTH, MAX_DEPTH)
    values = _move_values(ground, state, plies)
    return depth_result(values, ground, plies, is_guaranteed=True)
