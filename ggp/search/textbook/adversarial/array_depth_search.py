"""One look after another on the array search: what iterative deepening calls.

As `ggp.search.textbook.adversarial.depth_searches.AlphaBetaToDepth`, whose table and ordering are
in Python.
"""

from __future__ import annotations

from collections.abc import Sequence

import gdl
from ggp.clock import Deadline
from ggp.search.core.result import DepthResult
from ggp.search.fast.alphabeta.search import ArraySearch
from ggp.search.textbook.adversarial import aspiration, secondary
from ggp.search.textbook.adversarial.alphabeta import Window
from ggp.search.textbook.adversarial.depth_searches import AlphaBetaSettings, DepthMemory


class ArrayToDepth:
    """Alpha-beta in arrays, for `ggp.search.textbook.deepening.DeepeningSearch`."""

    def __init__(self, search: ArraySearch, settings: AlphaBetaSettings) -> None:
        self._search = search
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
        """Look `depth` plies ahead; machine and role are those of the search.

        Raises:
            OutOfTime: The deadline came first.
        """
        self._memory.begin(state)
        guess = self._memory.guess
        moves = machine.legal_moves(state, role)

        def look(among: Sequence[gdl.Move], depth: int) -> DepthResult:
            asked = None if len(among) == len(moves) else among

            def search_in(window: Window) -> DepthResult:
                return self._search.look(
                    state, depth=depth, deadline=deadline, window=window, among=asked
                )

            return aspiration.search(search_in, guess, self._settings.aspiration)

        if self._settings.secondary:
            return self._memory.keep(secondary.search(look, moves, depth, self._settings.secondary))
        return self._memory.keep(look(moves, depth))
