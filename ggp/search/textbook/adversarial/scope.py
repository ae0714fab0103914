"""Common part of depth-limited searches: entering a state, the horizon, and the conclusion.

*The horizon effect* (lecture "Game Playing"): disaster may lurk just beyond the depth. *Quiescence
search* looks on while the evaluation swings, until the game quiets down.
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
    """Rule for looking beyond the depth: as long as the last ply changed the evaluation a lot."""

    threshold: float = 10.0
    """A state is quiet if its evaluation differs from that of the state before by no more; points
    of the goal scale, 0..100."""
    plies: int = 4  # most plies beyond the depth


DEEPEST = 200
"""Plies that "to the end of the game" means at most: some games never end, and Python's stack
does."""


class Cutoff(NamedTuple):
    """Goals of all roles in a state behind which the search does not look."""

    goals: tuple[float, ...]
    is_end: bool  # whether the game is over there; else the goals are estimates


class Scope:
    """One search from one state: what it may look at, and what it has looked at.

    Attributes:
        nodes: States entered, each as often as it was met.
        evaluations: Of these, those valued by the evaluation.
        cutoffs: How often the rest of a state's moves needed no look.
        deepest: Plies of the longest line looked at.
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
            raise ValueError(f"depth: expected a whole number from 1 on, or None, got {depth}")
        self.machine = machine
        self.own = machine.roles.index(role)
        self.depth = DEEPEST if depth is None else min(depth, DEEPEST)
        self.nodes = self.evaluations = self.cutoffs = self.deepest = 0
        self.deadline = deadline
        self._evaluate = evaluate
        self._quiescence = quiescence
        # By depth: depth first, the state before is always the last one seen one depth higher.
        self._seen: dict[int, float] = {}

    def enter(self, state: gdl.State, depth: int) -> Cutoff | None:
        """Goals of all roles where the search stops; None where it goes on. Depth: plies left.

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
        """The estimated goals of all roles if the search stops here, else None."""
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
        """As `enter`, for us alone."""
        stop = self.enter(state, depth)
        if stop is None:
            return None
        value = stop.goals[self.own]
        return exactly(value) if stop.is_end else BoundedValue(value)

    def end(self, state: gdl.State) -> Cutoff:
        """The goals of a state, as those of the end."""
        return Cutoff(goals_in(self.machine, state), is_end=True)

    def choices(self, state: gdl.State) -> Choices:
        """The legal moves of all roles; empty where the rules leave a role without one.

        Nobody can move on from there, so its goals are final.
        """
        return choices_in(self.machine, state)

    def root_choices(self, state: gdl.State) -> Choices:
        """The legal moves of all roles where the search begins.

        Raises:
            GgpError: There is nothing to choose.
            OutOfTime: The deadline has come.
        """
        require_moves(self.machine, state)
        stop = self.enter(state, self.depth)
        choices = () if stop else self.choices(state)
        if not choices:
            raise GgpError("expected a state in which the game goes on, got one where it is over")
        return choices

    def answers(self, choices: Choices, move: gdl.Move) -> Iterator[Joint]:
        """All joint moves in which we make the given move."""
        options = (*choices[: self.own], (move,), *choices[self.own + 1 :])
        return product(*options)


class MoveFinding(NamedTuple):
    """The result of the search for one move of the root."""

    move: gdl.Move
    outlook: BoundedValue
    nodes: int  # states visited for it


def first_to_front(moves: Sequence[gdl.Move], first: gdl.Move | None) -> list[gdl.Move]:
    """The moves in their order, but one of them first, if it is among them."""
    return sorted(moves, key=lambda move: move is not first)


def conclude(
    findings: Sequence[MoveFinding], scope: Scope, depth: int | None, *, is_cut: bool = False
) -> DepthResult:
    """The best move and the figures; of moves worth the same, the guaranteed, then the first.

    `is_cut` says that there are moves about which nothing was found.
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
    # An unknown lower bound is the worst goal: of lost moves the one looked at first stays first.
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
