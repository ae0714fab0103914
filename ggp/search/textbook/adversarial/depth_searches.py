"""One look after another, each deeper than the last: what iterative deepening calls.

A look remembers what helps the next one: the best move so far comes first and is kept where nothing
is better, the value is the guess of the aspiration window, and ordering and table go on from turn
to turn. They fit `ggp.search.textbook.deepening.DeepeningSearch`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import gdl
from ggp.clock import Deadline
from ggp.search.core.result import DepthResult
from ggp.search.evaluation.evaluation import Evaluation
from ggp.search.textbook.adversarial import alphabeta, aspiration, minimax, secondary
from ggp.search.textbook.adversarial.alphabeta import Means, Window
from ggp.search.textbook.adversarial.horizon import Quiescence


class DepthMemory:
    """The result of the last look, as long as the state is the same."""

    def __init__(self) -> None:
        self._state: gdl.State = None
        self._found: DepthResult | None = None

    def begin(self, state: gdl.State) -> bool:
        """Look at a state; returns whether it is another one than before."""
        is_new = self._found is not None and self._state != state
        if is_new or self._found is None:
            self._state, self._found = state, None
        return is_new

    def keep(self, found: DepthResult) -> DepthResult:
        """Remember a result, and answer it."""
        self._found = found
        return found

    @property
    def first(self) -> gdl.Move | None:
        """The best move so far."""
        return None if self._found is None else self._found.result.move

    @property
    def guess(self) -> float | None:
        """Its value."""
        return None if self._found is None else self._found.value


class MinimaxToDepth:
    """Minimax, the best move so far first."""

    def __init__(
        self,
        evaluate: Evaluation,
        *,
        paranoid: bool = False,
        quiescence: Quiescence | None = None,
    ) -> None:
        self._search = partial(
            minimax.search, evaluate=evaluate, paranoid=paranoid, quiescence=quiescence
        )
        self._memory = DepthMemory()

    def __call__(
        self,
        machine: gdl.StateMachine,
        state: gdl.State,
        role: gdl.Role,
        *,
        depth: int,
        deadline: Deadline,
    ) -> DepthResult:
        """Look `depth` plies ahead.

        Raises:
            OutOfTime: The deadline came first.
        """
        self._memory.begin(state)
        first = self._memory.first
        return self._memory.keep(
            self._search(machine, state, role, depth=depth, deadline=deadline, first=first)
        )


@dataclass(frozen=True, slots=True)
class AlphaBetaSettings:
    """Parameters of alpha-beta looks."""

    aspiration: float = 0.0
    """Half the width of the window around the value of the depth before; 0: the window is wide."""
    secondary: int = 0
    """Plies beyond the depth by which the best move is verified; 0: it is not."""


class AlphaBetaToDepth:
    """Alpha-beta with all that it learned on the way."""

    def __init__(
        self,
        evaluate: Evaluation,
        means: Means,
        settings: AlphaBetaSettings,
    ) -> None:
        self._search = partial(alphabeta.search, evaluate=evaluate, means=means)
        self._ordering = means.ordering
        self._settings = settings
        self._memory = DepthMemory()

    def __call__(
        self,
        machine: gdl.StateMachine,
        state: gdl.State,
        role: gdl.Role,
        *,
        depth: int,
        deadline: Deadline,
    ) -> DepthResult:
        """Look `depth` plies ahead.

        Raises:
            OutOfTime: The deadline came first.
        """
        if self._memory.begin(state):
            self._ordering.advance()
        first, guess = self._memory.first, self._memory.guess
        within = partial(self._search, machine, state, role, deadline=deadline, first=first)

        def look(moves: Sequence[gdl.Move], depth: int) -> DepthResult:
            def search_in(window: Window) -> DepthResult:
                return within(depth=depth, among=moves, window=window)

            return aspiration.search(search_in, guess, self._settings.aspiration)

        moves = machine.legal_moves(state, role)
        if self._settings.secondary:
            found = secondary.search(look, moves, depth, self._settings.secondary)
        else:
            found = look(moves, depth)
        return self._memory.keep(found)
