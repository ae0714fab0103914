"""Searches to a given depth, for `ggp.search.textbook.deepening.DeepeningSearch` to call.

`MinimaxToDepth` and `AlphaBetaToDepth` run in Python. `ArrayToDepth` calls the array search, which
has its own table and ordering.

Each search helps the next, deeper one. The best move so far is searched first, and kept unless
another move is better. The ordering and the table are kept from turn to turn.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import gdl
from ggp.clock import Deadline
from ggp.search.core.result import BEST, WORST, DepthResult, MoveValue
from ggp.search.evaluation.evaluation import Evaluation
from ggp.search.textbook.adversarial import alphabeta, minimax
from ggp.search.textbook.adversarial.alphabeta import AlphaBetaOptions, Window
from ggp.search.textbook.adversarial.scope import Quiescence

if TYPE_CHECKING:
    from ggp.search.fast.alphabeta.search import ArraySearch

SPAN: Window = (WORST, BEST)
"""The window that contains every goal."""


TOLERANCE = 5.0
"""A move still looks good if its value has dropped by at most this many goal points."""

Look = Callable[[Sequence[gdl.Move], int], DepthResult]
"""A function of moves at the root and a depth. It searches the moves and returns the best."""


def secondary_search(look: Look, moves: Sequence[gdl.Move], depth: int, beyond: int) -> DepthResult:
    """Return the best move at `depth` that still looks good `beyond` plies deeper.

    If no move does, return the move with the best value at the greater depth. The value of the
    returned move comes from the deeper search.
    The lecture "Game Playing" says about the horizon effect:

        1. find the best move looking to depth d
        2. look k steps beyond to verify that it still looks good
        3. if it does not, repeat step 2 for the next best move

    Args:
        look: Searches moves to a depth.
        moves: The moves to choose among; at least one.
        depth: Plies of the first search (`d`).
        beyond: Additional plies of the second search (`k`); 0 for no second search.
    """
    first = found = look(moves, depth)
    if first.is_complete or not beyond:  # after a complete search there is no horizon
        return first
    rest, verified, results = list(moves), list[DepthResult](), [first]
    while True:
        best = found.result.move
        verified.append(look([best], depth + beyond))
        results.append(verified[-1])
        rest.remove(best)
        if not rest or verified[-1].value >= found.value - TOLERANCE:
            break
        found = look(rest, depth)
        results.append(found)
        if found.value <= max(result.value for result in verified):
            break  # no other move looks better than a verified one
    return _conclude(first, verified, results)


def _conclude(
    first: DepthResult, verified: Sequence[DepthResult], results: Sequence[DepthResult]
) -> DepthResult:
    ranked = sorted(verified, key=lambda each: each.value, reverse=True)
    seen: list[MoveValue] = [each.result.moves[0] for each in ranked]
    names = {each.move for each in seen}
    others = [each for each in first.result.moves if each.move not in names]
    nodes = sum(each.nodes for each in results)
    return replace(
        first,
        result=replace(ranked[0].result, visits=nodes, moves=(*seen, *others)),
        nodes=nodes,
        evaluations=sum(each.evaluations for each in results),
        cutoffs=sum(each.cutoffs for each in results),
    )


Search = Callable[..., DepthResult]


class _Remembering:
    """A base class that remembers the best move of the last search, and searches it first."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._state: gdl.State = None
        self._found: DepthResult | None = None  # of the last search from this state

    def __call__(
        self,
        machine: gdl.StateMachine,
        state: gdl.State,
        role: gdl.Role,
        *,
        depth: int,
        deadline: Deadline,
    ) -> DepthResult:
        """Search `depth` plies deep."""
        if self._found is not None and self._state != state:
            self._found = None
            self._advance()
        self._state = state
        first = None if self._found is None else self._found.result.move
        search = partial(self._search, machine, state, role, deadline=deadline, first=first)
        self._found = self._look(search, machine.legal_moves(state, role), depth)
        return self._found

    def _advance(self) -> None:
        """Prepare for a new state. Subclasses may override this."""

    def _look(self, search: Search, moves: Sequence[gdl.Move], depth: int) -> DepthResult:
        return search(depth=depth)


class MinimaxToDepth(_Remembering):
    """Minimax for iterative deepening."""

    def __init__(
        self, evaluate: Evaluation, *, paranoid: bool = False, quiescence: Quiescence | None = None
    ) -> None:
        super().__init__(
            partial(minimax.search, evaluate=evaluate, paranoid=paranoid, quiescence=quiescence)
        )


class AlphaBetaToDepth(_Remembering):
    """Alpha-beta for iterative deepening. It keeps its ordering and its table."""

    def __init__(self, evaluate: Evaluation, means: AlphaBetaOptions, secondary: int = 0) -> None:
        super().__init__(partial(alphabeta.search, evaluate=evaluate, means=means, window=SPAN))
        self._ordering = means.ordering
        self._secondary = secondary

    def _advance(self) -> None:
        self._ordering.advance()

    def _look(self, search: Search, moves: Sequence[gdl.Move], depth: int) -> DepthResult:
        def look(among: Sequence[gdl.Move], depth: int) -> DepthResult:
            return search(depth=depth, among=among)

        return secondary_search(look, moves, depth, self._secondary)


class ArrayToDepth:
    """Alpha-beta in arrays for iterative deepening."""

    def __init__(self, search: ArraySearch, secondary: int = 0) -> None:
        self._search = search
        self._secondary = secondary

    def __call__(
        self,
        machine: gdl.StateMachine,
        state: gdl.State,
        role: gdl.Role,
        *,
        depth: int,
        deadline: Deadline,
    ) -> DepthResult:
        """Search `depth` plies deep. `machine` and `role` must be those of the array search."""
        moves = machine.legal_moves(state, role)

        def look(among: Sequence[gdl.Move], depth: int) -> DepthResult:
            asked = None if len(among) == len(moves) else among
            return self._search.look(state, depth=depth, deadline=deadline, among=asked)

        return secondary_search(look, moves, depth, self._secondary)
