"""Alpha-beta: compute the value of minimax without searching moves that cannot change it.

The code follows the lecture "Game Playing" (Max-Value and Min-Value with alpha and beta). See Knuth
and Moore, An analysis of alpha-beta pruning, 1975. It is fail-soft: a value outside the window is
the tightest known bound. In games of more than two roles, all others are assumed to minimise our
goal ("paranoid"), because their own goals give no bound on ours.

The value equals that of `minimax.search(..., paranoid=True)` at the same depth, with any ordering
and with or without a table. Alpha-beta never visits more states than minimax.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

import gdl
from ggp.clock import Deadline
from ggp.search.core.choices import Choices
from ggp.search.core.result import DepthResult
from ggp.search.evaluation.evaluation import Evaluation
from ggp.search.textbook.adversarial.bounded_value import (
    BEST_OF_ALL,
    WORST_OF_ALL,
    BoundedValue,
    better,
    exactly,
    worse,
)
from ggp.search.textbook.adversarial.ordering import AS_LISTED, A, Action, Ordering, Spot
from ggp.search.textbook.adversarial.scope import (
    MoveFinding,
    Quiescence,
    Scope,
    conclude,
    first_to_front,
)
from ggp.search.textbook.adversarial.table import TranspositionTable
from ggp.search.textbook.adversarial.trace import SearchTrace

Window = tuple[float, float]
"""(alpha, beta): the values that MAX and MIN can already get elsewhere in the tree. A value outside
this window does not matter, so it need not be exact."""
WIDE: Window = (-math.inf, math.inf)


@dataclass(frozen=True, slots=True)
class AlphaBetaOptions:
    """Settings of alpha-beta. The ordering and the table help it to visit fewer states.

    Both learn during a search, and may be reused for the same role of the same game.
    """

    ordering: Ordering = field(default=AS_LISTED)
    table: TranspositionTable | None = None
    quiescence: Quiescence | None = None
    """The rule for looking beyond the depth; None for no such rule. It changes the value."""
    trace: SearchTrace | None = None


PLAIN = AlphaBetaOptions()


def search(  # noqa: PLR0913 - the contract of such searches, and four that may be left out
    machine: gdl.StateMachine,
    state: gdl.State,
    role: gdl.Role,
    *,
    depth: int | None,
    evaluate: Evaluation,
    deadline: Deadline,
    means: AlphaBetaOptions = PLAIN,
    window: Window = WIDE,
    first: gdl.Move | None = None,
    among: Sequence[gdl.Move] | None = None,
) -> DepthResult:
    """Find the best move and its minimax value at a depth, or at the end of the game.

    The values of moves other than the best are upper bounds, because those moves were refuted.

    Args:
        state: The state at the root, which is not terminal.
        depth: Plies, at least 1; None for the end of the game (at most `scope.DEEPEST` plies).
        window: Values outside this window are not computed exactly.
        first: The move to search first.
        among: The moves to choose among; None for all legal moves.

    Raises:
        OutOfTime: The deadline came first.
        GgpError: The game is over in `state`.
    """
    scope = Scope(machine, role, evaluate, deadline, depth=depth, quiescence=means.quiescence)
    choices = scope.root_choices(state)
    pruning = AlphaBeta(scope, means)
    moves = first_to_front(choices[scope.own] if among is None else among, first)
    findings = pruning.root(state, choices, moves, window)
    return conclude(findings, scope, depth, is_cut=len(findings) < len(moves))


class AlphaBeta:
    """The functions Max-Value and Min-Value of the lecture, within the limits of `scope`."""

    def __init__(self, scope: Scope, means: AlphaBetaOptions = PLAIN) -> None:
        self._scope = scope
        self._ordering = means.ordering
        self._table = means.table
        self._trace = means.trace

    def root(
        self, state: gdl.State, choices: Choices, moves: Sequence[gdl.Move], window: Window
    ) -> list[MoveFinding]:
        """Search the root like `max_value`, but return a finding for each searched move.

        After a cutoff, the remaining moves have no findings.
        """
        scope, (alpha, beta) = self._scope, window
        if self._trace is not None:
            self._trace.visit(state, scope.depth, alpha, beta)
        findings: list[MoveFinding] = []
        for move in moves:
            before = scope.nodes
            outlook = self.min_value(state, choices, move, scope.depth, alpha, beta)
            findings.append(MoveFinding(move, outlook, scope.nodes - before))
            alpha = max(alpha, outlook.value)
            if alpha >= beta:
                break
        return findings

    def max_value(self, state: gdl.State, depth: int, alpha: float, beta: float) -> BoundedValue:
        """Return the best value that we can reach from a state with `depth` plies left."""
        if self._trace is not None:
            self._trace.visit(state, depth, alpha, beta)
        found = self._scope.leaf(state, depth) or self._known(state, depth, alpha, beta)
        if found is None:
            found = self._best(state, depth, alpha, beta)
            if self._table is not None:
                self._table.store(state, depth, found, alpha, beta)
        if self._trace is not None:
            self._trace.leave(state, found.value)
        return found

    def min_value(
        self,
        state: gdl.State,
        choices: Choices,
        move: gdl.Move,
        depth: int,
        alpha: float,
        beta: float,
    ) -> BoundedValue:
        """Return the value of our move after the worst answer of the others."""
        worst = BEST_OF_ALL
        joints = self._arranged(state, list(self._scope.answers(choices, move)), depth, False)
        for index, joint in enumerate(joints, start=1):
            after = self._scope.machine.next_state(state, joint)
            worst = worse(worst, self.max_value(after, depth - 1, alpha, beta).before(joint))
            if worst.value <= alpha and index < len(joints):
                self._cut(joint, depth)
                if self._trace is not None:
                    self._trace.cut(state, "alpha", worst.value, alpha, joints[index:])
                return worst._replace(lower=-math.inf)
            beta = min(beta, worst.value)
        return worst

    def _best(self, state: gdl.State, depth: int, alpha: float, beta: float) -> BoundedValue:
        choices = self._scope.choices(state)
        if not choices:
            return exactly(self._scope.end(state).goals[self._scope.own])
        best = WORST_OF_ALL
        moves = self._arranged(state, choices[self._scope.own], depth, True)
        for index, move in enumerate(moves, start=1):
            best = better(best, self.min_value(state, choices, move, depth, alpha, beta))
            if best.value >= beta and index < len(moves):
                self._cut(move, depth)
                if self._trace is not None:
                    self._tell_of_beta(state, choices, moves[index:], best.value, beta)
                return best._replace(upper=math.inf)
            alpha = max(alpha, best.value)
        return best

    def _known(
        self, state: gdl.State, depth: int, alpha: float, beta: float
    ) -> BoundedValue | None:
        return None if self._table is None else self._table.probe(state, depth, alpha, beta)

    def _arranged(
        self, state: gdl.State, actions: Sequence[A], depth: int, is_max: bool
    ) -> Sequence[A]:
        if len(actions) <= 1:
            return actions
        joint = None if self._table is None else self._table.best_joint(state)
        first = joint[self._scope.own] if joint is not None and is_max else joint
        ply = self._scope.depth - depth
        return self._ordering.arrange(actions, Spot(state, ply, is_max, first))

    def _cut(self, action: Action, depth: int) -> None:
        self._scope.cutoffs += 1
        self._ordering.praise(action, self._scope.depth - depth, depth)

    def _tell_of_beta(
        self,
        state: gdl.State,
        choices: Choices,
        pruned: Sequence[gdl.Move],
        value: float,
        beta: float,
    ) -> None:
        if self._trace is not None:
            joints = [joint for move in pruned for joint in self._scope.answers(choices, move)]
            self._trace.cut(state, "beta", value, beta, joints)
