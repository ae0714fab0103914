"""Max^n: minimax for more than two roles, each of which maximises its own goal.

Luckhardt and Irani, An algorithmic solution of n-person games, 1986. A state is worth a tuple, the
goal of every role; whoever decides takes the successor that is worth most to itself. Of successors
worth the same to it, it takes the one that is worst for us. Where several roles decide at once, or
chance does, all of them answer our move as badly for us as they can, as everywhere in this room.
"""

from __future__ import annotations

from typing import NamedTuple

import gdl
from ggp.search.core.choices import Choices, deciders_of
from ggp.search.textbook.adversarial.bounded_value import BoundedValue, Line, exactly
from ggp.search.textbook.adversarial.scope import Scope


class Values(NamedTuple):
    """Goals of all roles, in role order, and the way there."""

    goals: tuple[float, ...]
    is_exact: bool
    """Whether every line below was followed to its end."""
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
