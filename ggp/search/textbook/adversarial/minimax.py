"""Minimax: our best move, if the others answer every one of our moves as badly for us as they can.

Reads like the slides of "Game Playing" (Max-Value and Min-Value; Shannon 1950, Turing 1951), with
joint moves: `max_value` is a state in which we choose, `min_value` the same state with our move
chosen, in which the others do. See the room's docstring for simultaneous moves and chance.

Games of more than two roles (`random` not counted) are searched by max^n, or with `paranoid=True`
by the same two functions: all others minimise our goal.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Choices, deciders_of
from ggp.search.core.result import DepthResult
from ggp.search.evaluation.evaluation import Evaluation
from ggp.search.textbook.adversarial.bounded_value import (
    BEST_OF_ALL,
    WORST_OF_ALL,
    BoundedValue,
    Line,
    better,
    exactly,
    worse,
)
from ggp.search.textbook.adversarial.scope import (
    MoveFinding,
    Quiescence,
    Scope,
    conclude,
    first_to_front,
)
from ggp.search.textbook.adversarial.trace import SearchTrace

TWO = 2  # roles that are each other's adversary


def search(  # noqa: PLR0913 - the contract of such searches, and four that may be left out
    machine: gdl.StateMachine,
    state: gdl.State,
    role: gdl.Role,
    *,
    depth: int | None,
    evaluate: Evaluation,
    deadline: Deadline,
    paranoid: bool = False,
    quiescence: Quiescence | None = None,
    first: gdl.Move | None = None,
    trace: SearchTrace | None = None,
) -> DepthResult:
    """Look at every line of so many plies, or to the end of the game.

    Args:
        state: Where to begin; not terminal.
        depth: Plies, from 1 on; None for the end of the game (at most `scope.DEEPEST` plies).
        paranoid: In games of more than two roles, whether all others minimise our goal instead of
            each maximising its own.
        first: The move to look at first: of equal moves the first is the best one.
        trace: Called with what is visited; not by max^n.

    Raises:
        OutOfTime: The deadline came first.
        GgpError: The game is over in `state`.
    """
    scope = Scope(machine, role, evaluate, deadline, depth=depth, quiescence=quiescence)
    choices = scope.root_choices(state)
    is_two_sided = sum(not gdl.is_random(each) for each in machine.roles) <= TWO
    kind = Minimax(scope, trace) if paranoid or is_two_sided else MaxN(scope)
    findings: list[MoveFinding] = []
    for move in first_to_front(choices[scope.own], first):
        before = scope.nodes
        outlook = kind.min_value(state, choices, move, scope.depth)
        findings.append(MoveFinding(move, outlook, scope.nodes - before))
    return conclude(findings, scope, depth)


class Minimax:
    """The two functions of the slides, on one scope."""

    def __init__(self, scope: Scope, trace: SearchTrace | None = None) -> None:
        self._scope = scope
        self._trace = trace

    def max_value(self, state: gdl.State, depth: int) -> BoundedValue:
        """The best that we can make of a state with so many plies left."""
        if self._trace is not None:
            self._trace.visit(state, depth, -math.inf, math.inf)
        best = self._scope.leaf(state, depth) or self._best(state, depth)
        if self._trace is not None:
            self._trace.leave(state, best.value)
        return best

    def _best(self, state: gdl.State, depth: int) -> BoundedValue:
        choices = self._scope.choices(state)
        if not choices:
            return exactly(self._scope.end(state).goals[self._scope.own])
        best = WORST_OF_ALL
        for move in choices[self._scope.own]:
            best = better(best, self.min_value(state, choices, move, depth))
        return best

    def min_value(
        self, state: gdl.State, choices: Choices, move: gdl.Move, depth: int
    ) -> BoundedValue:
        """The worst that the others can make of our move."""
        worst = BEST_OF_ALL
        for joint in self._scope.answers(choices, move):
            after = self.max_value(self._scope.machine.next_state(state, joint), depth - 1)
            worst = worse(worst, after.before(joint))
        return worst


class Values(NamedTuple):
    """Goals of all roles, in role order, and the way there."""

    goals: tuple[float, ...]
    is_exact: bool  # whether every line below was followed to its end
    line: Line = ()


class MaxN:
    """Max^n on one scope."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._own = scope.own

    def min_value(
        self, state: gdl.State, choices: Choices, move: gdl.Move, depth: int
    ) -> BoundedValue:
        """The value of our move to us: the counterpart of `Minimax.min_value`."""
        values = self.answer(state, choices, move, depth)
        if values.is_exact:
            return exactly(values.goals[self._own])._replace(line=values.line)
        return BoundedValue(values.goals[self._own], line=values.line)

    def value(self, state: gdl.State, depth: int) -> Values:
        """Goals of all roles from a state on, with so many plies left."""
        stop = self._scope.enter(state, depth)
        if stop is not None:
            return Values(stop.goals, stop.is_end)
        choices = self._scope.choices(state)
        if not choices:
            return Values(self._scope.end(state).goals, is_exact=True)
        found = [self.answer(state, choices, move, depth) for move in choices[self._own]]
        best = max(found, key=self._ours)
        return best._replace(is_exact=all(values.is_exact for values in found))

    def answer(self, state: gdl.State, choices: Choices, move: gdl.Move, depth: int) -> Values:
        """Goals of all roles if we make this move, and the others answer it."""
        found: list[Values] = []
        for joint in self._scope.answers(choices, move):
            after = self.value(self._scope.machine.next_state(state, joint), depth - 1)
            found.append(after._replace(line=(joint, after.line)))
        chooser = self._chooser(choices)
        if chooser is None:
            chosen = min(found, key=self._ours)
        else:
            chosen = max(found, key=lambda values: (values.goals[chooser], -self._ours(values)))
        return chosen._replace(is_exact=all(values.is_exact for values in found))

    def _chooser(self, choices: Choices) -> int | None:
        """The one role that decides by its own goal; None where all answers are against us."""
        deciders = deciders_of(choices)
        if len(deciders) != 1 or gdl.is_random(self._scope.machine.roles[deciders[0]]):
            return None
        return deciders[0]

    def _ours(self, values: Values) -> float:
        return values.goals[self._own]
