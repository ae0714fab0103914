"""Minimax: find our best move if the other roles answer each move in the way that is worst for us.

The code follows the lecture "Game Playing" (Max-Value and Min-Value; Shannon 1950, Turing 1951),
with joint moves. In `max_value` we choose our move, and in `min_value` the others answer it. See
the docstring of the package for simultaneous moves and chance.

Games of more than two roles (not counting `random`) are searched by max^n. With `paranoid=True`
they are searched by minimax, in which all others minimise our goal.
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

TWO = 2  # maximum number of roles for which minimax is the default


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
    """Search every line to a depth, or to the end of the game.

    Args:
        state: The state at the root, which is not terminal.
        depth: Plies, at least 1; None for the end of the game (at most `scope.DEEPEST` plies).
        paranoid: Whether, in games of more than two roles, all others minimise our goal. If False,
            each role maximises its own goal.
        quiescence: The rule for looking beyond the depth; None for no such rule.
        first: The move to search first. Of moves with equal values, the first counts as best.
        trace: Records every visit, except in a max^n search.

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
    """The functions Max-Value and Min-Value of the lecture, within the limits of `scope`."""

    def __init__(self, scope: Scope, trace: SearchTrace | None = None) -> None:
        self._scope = scope
        self._trace = trace

    def max_value(self, state: gdl.State, depth: int) -> BoundedValue:
        """Return the best value that we can reach from a state with `depth` plies left."""
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
        """Return the value of our move after the worst answer of the others."""
        worst = BEST_OF_ALL
        for joint in self._scope.answers(choices, move):
            after = self.max_value(self._scope.machine.next_state(state, joint), depth - 1)
            worst = worse(worst, after.before(joint))
        return worst


class Values(NamedTuple):
    """The expected goals of all roles, in role order, and the line that leads to them."""

    goals: tuple[float, ...]
    is_exact: bool  # whether every line below was searched to its end
    line: Line = ()


class MaxN:
    """Max^n: each role maximises its own goal. `scope` limits the search."""

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._own = scope.own

    def min_value(
        self, state: gdl.State, choices: Choices, move: gdl.Move, depth: int
    ) -> BoundedValue:
        """Return the value of our move for our role. It replaces `Minimax.min_value`."""
        values = self.answer(state, choices, move, depth)
        if values.is_exact:
            return exactly(values.goals[self._own])._replace(line=values.line)
        return BoundedValue(values.goals[self._own], line=values.line)

    def value(self, state: gdl.State, depth: int) -> Values:
        """Return the goals that the roles reach from a state, with `depth` plies left."""
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
        """Return the goals of all roles if we make this move and the others answer."""
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
        """Return the index of the only role with a choice. It chooses the best answer for itself.

        Return None if several roles, none, or `random` choose. Then the worst answer for us counts.
        """
        deciders = deciders_of(choices)
        if len(deciders) != 1 or gdl.is_random(self._scope.machine.roles[deciders[0]]):
            return None
        return deciders[0]

    def _ours(self, values: Values) -> float:
        return values.goals[self._own]
