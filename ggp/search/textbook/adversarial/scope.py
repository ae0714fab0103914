"""Common parts of depth-limited searches: enter a state, stop at the horizon, and build the result.

The lecture "Game Playing" describes the *horizon effect*: a disaster just beyond the depth is not
seen. *Quiescence search* looks further as long as each ply changes the evaluation a lot.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import gdl
from ggp.clock import Deadline
from ggp.errors import GgpError
from ggp.search.core.choices import Choices, Joint, choices_in, goals_in, require_moves
from ggp.search.core.result import BEST, WORST, DepthResult, MoveValue, OutOfTime, SearchResult
from ggp.search.evaluation.evaluation import Evaluation
from ggp.search.textbook.adversarial.bounded_value import BoundedValue, exactly, unrolled


@dataclass(frozen=True, slots=True)
class Quiescence:
    """The rule for searching beyond the depth while the last ply changed the evaluation a lot."""

    threshold: float = 10.0
    """A state is quiet if its evaluation differs from that of the previous state by at most this
    many points, on the scale of goals."""
    plies: int = 4  # maximum number of plies beyond the depth


DEEPEST = 200
"""Maximum number of plies in a search "to the end of the game", because some games never end and
Python's stack is limited."""


class Cutoff(NamedTuple):
    """The goals of all roles in a state where the search stops."""

    goals: tuple[float, ...]
    is_end: bool  # whether the game is over there; otherwise the goals are estimates


class Scope:
    """The limits of one search from one state, and counters of the states that it has visited.

    Attributes:
        nodes: States entered, each counted as often as it was entered.
        evaluations: How many of these states got their value from the evaluation.
        cutoffs: How often the remaining moves of a state were skipped.
        deepest: Plies of the longest line searched.
    """

    def __init__(
        self,
        machine: gdl.StateMachine,
        role: gdl.Role,
        evaluate: Evaluation,
        deadline: Deadline,
        *,
        depth: int | None,
        quiescence: Quiescence | None = None,
    ) -> None:
        if depth is not None and depth < 1:
            raise ValueError(f"depth: expected a whole number of at least 1, or None, got {depth}")
        self.machine = machine
        self.own = machine.roles.index(role)
        self.depth = DEEPEST if depth is None else min(depth, DEEPEST)
        self.nodes = self.evaluations = self.cutoffs = self.deepest = 0
        self.deadline = deadline
        self._evaluate = evaluate
        self._quiescence = quiescence
        # The last evaluation at each depth, in plies left. In a depth-first search, the predecessor
        # of a state is the last state that was seen with one more ply left.
        self._seen: dict[int, float] = {}

    def enter(self, state: gdl.State, depth: int) -> Cutoff | None:
        """Enter a state with `depth` plies left.

        Return the goals of all roles if the search stops here, or None if it continues.

        Raises:
            OutOfTime: The deadline has come.
        """
        if self.deadline.is_over():
            raise OutOfTime(f"the time was over before depth {self.depth} was searched")
        self.nodes += 1
        self.deepest = max(self.deepest, self.depth - depth)
        if self.machine.is_terminal(state):
            return self.end(state)
        estimates = self._estimates(state, depth)
        if estimates is None:
            return None
        self.evaluations += 1
        return Cutoff(estimates, is_end=False)

    def _estimates(self, state: gdl.State, depth: int) -> tuple[float, ...] | None:
        """Return the estimated goals of all roles if the search goes no deeper here, else None."""
        quiescence = self._quiescence
        if quiescence is None:
            return self._evaluate(state) if depth <= 0 else None
        if depth > 1:
            return None
        estimates = self._evaluate(state)
        now = self._seen[depth] = estimates[self.own]
        if depth > 0:
            return None
        swing = abs(now - self._seen.get(depth + 1, now))
        is_quiet = swing <= quiescence.threshold or depth <= -quiescence.plies
        return estimates if is_quiet else None

    def leaf(self, state: gdl.State, depth: int) -> BoundedValue | None:
        """Enter a state like `enter`, but return only the outlook of the searching role.

        Return None if the search continues.
        """
        stop = self.enter(state, depth)
        if stop is None:
            return None
        value = stop.goals[self.own]
        return exactly(value) if stop.is_end else BoundedValue(value)

    def end(self, state: gdl.State) -> Cutoff:
        """Return the goals of a state where the game cannot continue."""
        return Cutoff(goals_in(self.machine, state), is_end=True)

    def choices(self, state: gdl.State) -> Choices:
        """Return the legal moves of all roles; empty if the rules leave a role without one.

        The game cannot continue in such a state, so its goals are final.
        """
        return choices_in(self.machine, state)

    def root_choices(self, state: gdl.State) -> Choices:
        """Enter the state at the root and return the legal moves of all roles.

        Raises:
            GgpError: The game is over in `state`, or a role has no legal move.
            OutOfTime: The deadline has come.
        """
        require_moves(self.machine, state)
        stop = self.enter(state, self.depth)
        choices = () if stop else self.choices(state)
        if not choices:
            raise GgpError("expected a state that is not terminal, got one where the game is over")
        return choices

    def answers(self, choices: Choices, move: gdl.Move) -> Iterator[Joint]:
        """Yield all joint moves in which we make the given move."""
        options = (*choices[: self.own], (move,), *choices[self.own + 1 :])
        return product(*options)


class MoveFinding(NamedTuple):
    """The result of the search for one move at the root."""

    move: gdl.Move
    outlook: BoundedValue
    nodes: int  # states visited in this search


def first_to_front(moves: Sequence[gdl.Move], first: gdl.Move | None) -> list[gdl.Move]:
    """Return the moves in their order, but with `first` at the front if it is among them."""
    return sorted(moves, key=lambda move: move is not first)


def conclude(
    findings: Sequence[MoveFinding], scope: Scope, depth: int | None, *, is_cut: bool = False
) -> DepthResult:
    """Return the result of a search: its best move, and the statistics of all moves.

    Among moves with equal values, prefer the one with the better guarantee, then the first.
    `is_cut` says that some moves were cut off and have no finding.
    """
    ranked = sorted(findings, key=_preference, reverse=True)  # stable: the first stays first
    moves = tuple(map(_move_value, ranked))
    best = moves[0]
    result = SearchResult.ranked(moves, scope.nodes, unrolled(ranked[0].outlook.line))
    return DepthResult(
        result=result,
        depth=scope.deepest if depth is None else depth,
        nodes=scope.nodes,
        evaluations=scope.evaluations,
        cutoffs=scope.cutoffs,
        is_complete=best.lower >= (BEST if is_cut else max(each.upper for each in moves)),
    )


def _preference(finding: MoveFinding) -> tuple[float, float]:
    # An unknown lower bound counts as the worst goal. So all lost moves keep their order, whether
    # the loss is proven or not.
    return (finding.outlook.value, _move_value(finding).lower)


def _move_value(finding: MoveFinding) -> MoveValue:
    outlook = finding.outlook
    is_proven = outlook.lower == outlook.upper
    return MoveValue(
        move=finding.move,
        value=outlook.value,
        visits=finding.nodes,
        lower=WORST if outlook.lower == -math.inf else outlook.lower,
        upper=BEST if outlook.upper == math.inf else outlook.upper,
        length=len(unrolled(outlook.line)) if is_proven else None,
    )
